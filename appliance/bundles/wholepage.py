"""The frame of a page in an archive that is made here."""

from html import escape


def whole_page(language: str, title: str, body: str) -> str:
    """HTML; `body` is HTML that follows the title."""
    return (
        f'<!DOCTYPE html><html lang="{escape(language)}"><head><meta charset="utf-8">'
        f"<title>{escape(title)}</title>"
        '<meta name="viewport" content="width=device-width, initial-scale=1"><style>'
        "body{font:1.05rem/1.6 system-ui,sans-serif;max-width:42rem;margin:1.5rem auto;padding:0 1rem}"
        "footer{margin-top:2rem;font-size:.85rem;opacity:.75;overflow-wrap:anywhere}a{text-decoration:none}"
        f"</style></head><body><h1>{escape(title)}</h1>{body}</body></html>"
    )
