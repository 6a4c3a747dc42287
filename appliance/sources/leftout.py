"""What of a page is not evidence: navigation, references, hidden and decorative parts, licence footers,
pages that only list others. Tables of names and small questions about them; no tree is walked here. Pure.
"""

import re
from collections.abc import Mapping

Attributes = Mapping[str, str | None]


def words(text: str, separator: str | None = None) -> frozenset[str]:
    """The words of a text as a set."""
    return frozenset(text.split(separator))


TAGS = words(
    "head script style template noscript nav svg canvas iframe object embed audio video map form button"
    " select textarea input datalist dialog menu -comment link meta rp"
)

_CLASSES = words(
    # MediaWiki: references, edit links, notices, navigation
    "reference references reflist mw-references-wrap mw-cite-backlink mw-editsection mw-editsection-like"
    " mw-jump-link mw-empty-elt mw-indicators noprint nomobile metadata ambox tmbox ombox hatnote dablink"
    " rellink navbox navbox-styles vertical-navbox sidebar-navbox navigation-box navigation-not-searchable"
    " sistersitebox side-box portalbox portal-bar toc toccolours-toc catlinks printfooter authority-control"
    " mbox-small"
    " shortdescription noexcerpt error zim-footer mw-hidden-catlinks mw-authority-control bandeau-portail"
    # documentation generators: anchors, line numbers, next and previous
    " headerlink anchor-link linenos lineno line-numbers gutter skip-link breadcrumb breadcrumbs pagination"
    " t-navbar"
    # text for no eye
    " sr-only visually-hidden screen-reader-text hidden"
)
_IDS = words("toc catlinks mw-navigation siteSub contentSub jump-to-nav coordinates p-lang-btn")
_INVISIBLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)

SECTIONS = words(
    # en
    "references|external links|see also|further reading|notes and references|references and notes|citations"
    # fr, es, de, pt, it
    "|références|notes et références|liens externes|voir aussi|articles connexes"
    "|referencias|enlaces externos|véase también|notas y referencias|lecturas adicionales"
    "|einzelnachweise|weblinks|siehe auch|literatur|ligações externas|referências|ver também"
    "|collegamenti esterni|voci correlate|altri progetti"
    # nl, pl, ru, uk, be, sv, zh, ja, ar
    "|externe links|zie ook|linki zewnętrzne|przypisy|zobacz też|примечания|ссылки|см. также|литература"
    "|примітки|посилання|див. також|зноскі|спасылкі|гл. таксама|referenser|externa länkar|se även"
    "|参考文献|外部链接|外部連結|参见|參見|脚注|関連項目|外部リンク|مراجع|وصلات خارجية|انظر أيضًا",
    "|",
)

_CONTENTS_TITLES = words(
    "contents|table of contents|main page|index|sitemap|site map|all pages|portal:contents|sommaire|accueil"
    "|table des matières|plan du site|índice|contenido|contenidos|portada|inhalt|inhaltsverzeichnis"
    "|hauptseite|indice|pagina principale|sumário|página principal|inhoud|оглавление|содержание"
    "|заглавная страница"
    "|目录|目次|メインページ",
    "|",
)
_DISAMBIGUATION_TITLE = re.compile(
    r"\((?:disambiguation|homonymie|desambiguación|Begriffsklärung|disambigua|desambiguação|doorverwijspagina"
    r"|значения|значення|значэнні|曖昧さ回避|消歧义|消歧義|توضيح)\)$",
    re.IGNORECASE,
)
_DISAMBIGUATION_MARK = re.compile(
    r"mw:PageProp/disambiguation"
    r"|\b(?:id|class)\s*=\s*[\"'][^\"'>]*\b(?:disambigbox|dmbox-disambig|bandeau-homonymie|begriffsklaerung)\b"
)
_MARK_WORDS = ("disambig", "homonymie", "begriffsklaerung")
_MAY_REFER = re.compile(
    r"\b(?:may|can|might|could) (?:also |commonly |most commonly |mainly )?(?:refer to|mean|stand for)\s?:?$"
    r"|\b(?:may|can) refer to (?:one of |any of |several |the following|these|various|many)[^.]*:$"
    r"|\b(?:peut désigner|peut faire référence à|puede referirse a|puede hacer referencia a)\s?:?$"
    r"|\b(?:steht für|bezeichnet|ist der Name folgender Personen)\s?:$",
    re.IGNORECASE,
)
MIN_PROSE = 2_000  # letters of paragraphs; a welcome has some hundred, an article thousands
_ISSUED = re.compile(r"^(?:This article is issued from|From Wikipedia, |Retrieved from )")
_LICENCE = re.compile(
    r"creative\s?commons|\bCC[ -]?(?:BY|0)\b|\bGFDL\b|licen[cs]ed? |\bcopyright\b|©|all rights reserved"
    r"|retrieved from",
    re.IGNORECASE,
)


def hides(tag: str, attributes: Attributes) -> bool:
    """Whether an element and all in it is left out, judged by its own attributes."""
    if "class" in attributes:
        classes = (attributes["class"] or "").split()
        if not _CLASSES.isdisjoint(classes):
            return True
    if "style" in attributes and _INVISIBLE.search(attributes["style"] or ""):
        return True
    identity = attributes.get("id") or ""
    return (
        "hidden" in attributes
        or attributes.get("aria-hidden") == "true"
        or identity in _IDS
        or attributes.get("role") in ("navigation", "contentinfo", "search", "note")
        or (tag == "sup" and identity.startswith("cite_ref"))
    )


def section(heading: str) -> bool:
    """Whether everything under this heading is left out: references, links, further reading."""
    parts = heading.casefold().rstrip(": ").split("/")
    return all(part.strip() in SECTIONS for part in parts)


def is_licence(text: str, in_footer: bool) -> bool:
    """Whether a block only says where a page comes from and under which licence."""
    if len(text) > 500 or not _LICENCE.search(text):
        return False
    return in_footer or bool(_ISSUED.match(text))


def is_contents(title: str, letters: int, linked: int, links: int) -> bool:
    """Whether a page mostly leads elsewhere: `linked` of its `letters` stand in its `links` links."""
    if title.strip().casefold() in _CONTENTS_TITLES and linked * 2 >= letters:
        return True
    return links >= 200 and linked * 10 >= letters * 9


def is_front(letters: int, linked: int, prose: int) -> bool:
    """Whether an archive's main page only leads to the others: under MIN_PROSE of its letters stand in
    paragraphs, or over a third of them in links. Else it is an article that the archive opens with."""
    return prose < MIN_PROSE or linked * 3 > letters


def is_disambiguation(html: str, title: str, first: str) -> bool:
    """Whether a page only tells apart what its title may mean. `first` is its first paragraph."""
    return bool(
        _DISAMBIGUATION_TITLE.search(title)
        or (len(first) < 200 and _MAY_REFER.search(first))
        or (any(word in html for word in _MARK_WORDS) and _DISAMBIGUATION_MARK.search(html))
    )
