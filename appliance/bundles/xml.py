"""XML from outside: without a DTD, so that there is no entity that grows and none that reads a file."""

import re
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from appliance.errors import BundleError


def parse(found: bytes, where: str, root: str) -> Element:
    """The root element, which must be `root` (`{namespace}name`). Raises BundleError."""
    try:
        element: Element = fromstring(found, forbid_dtd=True)
    except (ParseError, DefusedXmlException, ValueError, RecursionError) as error:
        raise BundleError(f"{where} is no XML that can be read: {error}.") from error
    if element.tag != root:
        raise BundleError(f"{where} begins with {element.tag}, expected {root}.")
    return element


def text(element: Element, path: str) -> str:
    """The text of a child, stripped; empty when there is none."""
    return (element.findtext(path) or "").strip()


def number(said: str | None) -> int:
    """A whole number of up to 15 digits; 0 for anything else."""
    return int(said) if said and re.fullmatch("[0-9]{1,15}", said) else 0
