"""Languages of archives for pages: Kiwix writes ISO 639-3, HTML needs BCP 47, which has the shortest code.

A code that is not in the table is used and shown as it is.
"""

LANGUAGES = {
    "ara": ("ar", "Arabic"),
    "bel": ("be", "Belarusian"),
    "ben": ("bn", "Bengali"),
    "bul": ("bg", "Bulgarian"),
    "cat": ("ca", "Catalan"),
    "ces": ("cs", "Czech"),
    "dan": ("da", "Danish"),
    "deu": ("de", "German"),
    "ell": ("el", "Greek"),
    "eng": ("en", "English"),
    "epo": ("eo", "Esperanto"),
    "est": ("et", "Estonian"),
    "eus": ("eu", "Basque"),
    "fas": ("fa", "Persian"),
    "fin": ("fi", "Finnish"),
    "fra": ("fr", "French"),
    "gle": ("ga", "Irish"),
    "heb": ("he", "Hebrew"),
    "hin": ("hi", "Hindi"),
    "hrv": ("hr", "Croatian"),
    "hun": ("hu", "Hungarian"),
    "ind": ("id", "Indonesian"),
    "ita": ("it", "Italian"),
    "jpn": ("ja", "Japanese"),
    "kor": ("ko", "Korean"),
    "lit": ("lt", "Lithuanian"),
    "lav": ("lv", "Latvian"),
    "msa": ("ms", "Malay"),
    "nld": ("nl", "Dutch"),
    "nor": ("no", "Norwegian"),
    "nob": ("nb", "Norwegian"),
    "pol": ("pl", "Polish"),
    "por": ("pt", "Portuguese"),
    "ron": ("ro", "Romanian"),
    "rus": ("ru", "Russian"),
    "slk": ("sk", "Slovak"),
    "slv": ("sl", "Slovenian"),
    "spa": ("es", "Spanish"),
    "srp": ("sr", "Serbian"),
    "swa": ("sw", "Swahili"),
    "swe": ("sv", "Swedish"),
    "tha": ("th", "Thai"),
    "tur": ("tr", "Turkish"),
    "ukr": ("uk", "Ukrainian"),
    "urd": ("ur", "Urdu"),
    "vie": ("vi", "Vietnamese"),
    "zho": ("zh", "Chinese"),
}
_NAMES = dict(LANGUAGES.values())


def tag(code: str) -> str:
    """The `lang` attribute for an archive's language: `eng` -> `en`."""
    return LANGUAGES.get(code, (code, ""))[0]


def language(code: str) -> str:
    """`eng` or `en` -> `English`."""
    return _NAMES.get(tag(code), code)
