"""Formulas as one line of readable text: TeX and MathML in, `E = mc²`, `(a + b)/c`, `√(x)` out. Pure.

The text is for reading and for searching by words, not for calculating; what a command means beyond
fractions, roots, powers and the usual signs is left out.
"""

import re
from itertools import accumulate

from selectolax.lexbor import LexborNode

_POWERS = str.maketrans("0123456789+-−=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ")
_NAMED = """
    times=× cdot=· div=÷ pm=± mp=∓ ast=* circ=° degree=° prime=′ le=≤ leq=≤ leqslant=≤ ge=≥ geq=≥
    geqslant=≥ ne=≠ neq=≠ approx=≈ sim=∼ simeq=≃ cong=≅ equiv=≡ propto=∝ ll=≪ gg=≫ to=→ rightarrow=→
    longrightarrow=→ leftarrow=← leftrightarrow=↔ Rightarrow=⇒ implies=⇒ Leftrightarrow=⇔
    rightleftharpoons=⇌ mapsto=↦ infty=∞ partial=∂ nabla=∇ sum=∑ prod=∏ int=∫ oint=∮ in=∈ notin=∉
    subset=⊂ subseteq=⊆ cup=∪ cap=∩ emptyset=∅ forall=∀ exists=∃ neg=¬ land=∧ lor=∨ wedge=∧ vee=∨
    ldots=… cdots=… dots=… vdots=… hbar=ħ ell=ℓ angle=∠ mid=| vert=| lvert=| rvert=| langle=⟨ rangle=⟩
    perp=⊥ alpha=α beta=β gamma=γ delta=δ epsilon=ε varepsilon=ε zeta=ζ eta=η theta=θ vartheta=ϑ iota=ι
    kappa=κ lambda=λ mu=μ nu=ν xi=ξ pi=π rho=ρ sigma=σ tau=τ upsilon=υ phi=φ varphi=φ chi=χ psi=ψ
    omega=ω Gamma=Γ Delta=Δ Theta=Θ Lambda=Λ Xi=Ξ Pi=Π Sigma=Σ Upsilon=Υ Phi=Φ Psi=Ψ Omega=Ω
"""
_SIGNS = {name: sign for name, _, sign in (pair.partition("=") for pair in _NAMED.split())}
_SPACES = {"quad": " ", "qquad": " ", ",": " ", ";": " ", ":": " ", " ": " ", "\\": "; "}
_SPACED = frozenset("×÷±∓≤≥≠≈∼≃≅≡∝≪≫→←↔⇒⇔⇌↦∈∉⊂⊆∪∩∧∨")
_FUNCTIONS = frozenset(
    ("sin", "cos", "tan", "log", "ln", "exp", "lim", "max", "min", "det", "arg", "sinh", "cosh", "tanh")
)
_TOKEN = re.compile(r"\\[A-Za-z]+\*?\s?|\\.|[{}^_~&]|\s+|[^\\{}^_~&\s]+", re.DOTALL)
_ENVIRONMENT = re.compile(r"\\(?:begin|end)\s*\{[^{}]*\}(?:\{[lcr|]*\})?")
_LONGEST = 4000


def power(text: str) -> str:
    """`2` -> `²`, `-3` -> `⁻³`; what has no raised form is written `^x` or `^(x + 1)`."""
    if text and all(ord(letter) in _POWERS for letter in text):
        return text.translate(_POWERS)
    return "^" + _grouped(text) if text else ""


def from_tex(tex: str) -> str:
    """TeX as one line. Unknown commands lose their backslash; nesting deeper than 50 is flattened."""
    tokens = [t for t in _TOKEN.findall(_ENVIRONMENT.sub(" ", tex[:_LONGEST]).replace("~", " ")) if t != "&"]
    tokens.reverse()
    text = _sequence(tokens, depth=0)
    return " ".join(text.split()).replace("( ", "(").replace(" )", ")").strip()


def from_mathml(math: LexborNode) -> str:
    """The TeX that the element carries if it does (`annotation`, `alttext`), else its MathML as one line."""
    tex = (math.attributes.get("alttext") or "").strip()
    for annotation in math.css("annotation"):
        if "tex" in (annotation.attributes.get("encoding") or "").lower():
            tex = annotation.text().strip() or tex
    return from_tex(tex) if tex else " ".join(_mathml(math, 0).split())


def _sequence(tokens: list[str], depth: int, until: str = "") -> str:
    """Reads tokens (the next one is the last of the list) up to the closing `until`."""
    out: list[str] = []
    composite = False
    while tokens:
        token = tokens.pop()
        if token == until:
            break
        if token in ("^", "_"):
            if composite:
                out[-1] = _grouped(out[-1].strip())
            script = _argument(tokens, depth).strip()
            out.append(power(script) if token == "^" else "_" + _grouped(script))
            composite = False
            continue
        tokens.append(token)
        out.append(_argument(tokens, depth, spaces=True))
        composite = token[0] in "{\\"
    return "".join(out)


def _argument(tokens: list[str], depth: int, spaces: bool = False) -> str:
    """One argument: a group in braces, a command with its own arguments, or a single character."""
    while tokens and not spaces and tokens[-1].isspace():
        tokens.pop()
    if not tokens:
        return ""
    token = tokens.pop()
    if token == "{":
        return _sequence(tokens, depth + 1, "}") if depth < 50 else ""
    if token.startswith("\\"):
        return _command(token[1:].strip().rstrip("*") or token[1:2], tokens, depth) if depth < 50 else ""
    if not spaces and len(token) > 1:
        tokens.append(token[1:])
        return token[0]
    return "" if token == "}" else token


def _command(name: str, tokens: list[str], depth: int) -> str:
    if name in ("frac", "dfrac", "tfrac", "cfrac"):
        above, below = (_argument(tokens, depth + 1).strip() for _ in range(2))
        return f"{_grouped(above)}/{_grouped(below)}"
    if name == "sqrt":
        return f"√({_argument(tokens, depth + 1).strip()})"
    if name == "binom":
        return f"C({_argument(tokens, depth + 1)}, {_argument(tokens, depth + 1)})"
    if name in _SIGNS:
        sign = _SIGNS[name]
        return f" {sign} " if sign in _SPACED else sign
    if name in _SPACES:
        return _SPACES[name]
    if name in _FUNCTIONS:
        return f"{name} "
    return name if name in "{}$&#_%" else "‖" if name == "|" else ""


def _grouped(text: str) -> str:
    """Puts what is more than one word or sign into brackets, unless it stands in brackets already."""
    if len(text) < 2 or text.isalnum():
        return text
    if text[0] == "(" and text[-1] == ")":
        depths = list(accumulate((letter == "(") - (letter == ")") for letter in text))
        if min(depths[:-1]) > 0:
            return text
    return f"({text})"


def _mathml(node: LexborNode, depth: int) -> str:
    """Presentation MathML; elements that only lay out are read through."""
    if node.is_text_node:
        return node.text_content or ""
    if depth > 100 or node.tag in ("annotation", "annotation-xml", "mphantom"):
        return ""
    parts = [_mathml(child, depth + 1) for child in node.iter(include_text=True)]
    whole = [part.strip() for part in parts if part.strip()]
    tag = node.tag
    if tag == "mfrac" and len(whole) == 2:
        return f"{_grouped(whole[0])}/{_grouped(whole[1])}"
    if tag == "msup" and len(whole) == 2:
        return whole[0] + power(whole[1])
    if tag == "msub" and len(whole) == 2:
        return f"{whole[0]}_{_grouped(whole[1])}"
    if tag in ("msubsup", "munderover") and len(whole) == 3:
        return f"{whole[0]}_{_grouped(whole[1])}{power(whole[2])}"
    if tag == "msqrt":
        return f"√({' '.join(whole)})"
    if tag == "mo" and len(whole) == 1 and whole[0] not in "()[]{}|,.′!⁡":
        return f" {whole[0]} "
    if tag == "mtr":
        return ", ".join(whole) + "; "
    return "".join(parts)
