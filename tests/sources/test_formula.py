"""Formulas as one line of readable text."""

from every import every

from appliance.sources.formula import from_tex, power


@every(
    ("tex", "text"),
    [
        (r"{\displaystyle E=mc^{2}}", "E=mc²"),
        (r"{\frac {a+b}{2}}^{2}\times \alpha", "((a+b)/2)² × α"),
        (r"{\frac {(a)}{(b)}}^{2}", "((a)/(b))²"),
        (r"\Delta t", "Δt"),
        (r"\int_{0}^{\infty} e^{-x^2}\,dx", "∫_0^∞ e^(-x²) dx"),
        (r"{\begin{aligned}a&=b\\c&=d\end{aligned}}", "a=b; c=d"),
        (r"\left(1+{\frac {1}{n}}\right)^{n}", "(1+1/n)ⁿ"),
        (r"{\text{BMI}}={\frac {\text{mass}}{{\text{height}}^{2}}}", "BMI=mass/height²"),
        (r"\{a\}\;50\%", "{a} 50%"),
        (r"x_{10}", "x_10"),
        ("", ""),
    ],
)
def test_tex_reads_as_a_line(tex, text):
    assert from_tex(tex) == text


@every("tex", ["{" * 3000 + "x", "^", "_{", r"\frac", "}" * 99, "\\", r"\sqrt" * 900, "^" * 3000])
def test_broken_tex_does_no_harm(tex):
    assert len(from_tex(tex)) < 20_000


def test_a_power_that_has_no_raised_form_keeps_its_sign():
    assert power("-3") == "⁻³"
    assert power("k") == "^k"
    assert power("x+1") == "^(x+1)"
