from every import every

from appliance.documents import calendar, periods
from appliance.documents.calendar import Span
from appliance.server import days

MAY_TO_JULY = Span(calendar.day_number(1923, 5, 1), calendar.day_number(1923, 7, 31), "season")
A_WEEK = Span(calendar.day_number(1923, 4, 30), calendar.day_number(1923, 5, 6))


@every(
    ("span", "english", "french", "spanish"),
    [
        (calendar.one_day(1923, 4, 1), "1 April 1923", "1er avril 1923", "1 de abril de 1923"),
        (calendar.month(1923, 8), "August 1923", "août 1923", "agosto de 1923"),
        (calendar.year(-43), "44 BC", "44 av. J.-C.", "44 a. C."),
        (calendar.year(79), "AD 79", "79 apr. J.-C.", "79 d. C."),
        (calendar.years(1920, 1929, "decade"), "1920s", "années 1920", "años 1920"),
        (calendar.century(21), "21st century", "XXIe siècle", "siglo XXI"),
        (calendar.century(-3), "3rd century BC", "IIIe siècle av. J.-C.", "siglo III a. C."),
        (calendar.century(12), "12th century", "XIIe siècle", "siglo XII"),
        (calendar.years(1914, 1918), "1914–1918", "1914–1918", "1914–1918"),
        (MAY_TO_JULY, "May – July 1923", "mai – juillet 1923", "mayo – julio de 1923"),
        (A_WEEK, "30 April 1923 – 6 May 1923", "30 avril 1923 – 6 mai 1923",
         "30 de abril de 1923 – 6 de mayo de 1923"),
    ],
)  # fmt: skip
def test_a_date_reads_as_people_write_it(span: Span, english: str, french: str, spanish: str) -> None:
    assert [days.shown(span, language) for language in ("en", "fr", "es")] == [english, french, spanish]


@every(
    ("key", "name", "short"),
    [("1923-04-12", "12 April 1923", "12"), ("1923-04", "April 1923", "Apr"), ("1923", "1923", "1923"),
     ("1920s", "1920s", "1920s"), ("c20", "20th century", "20th c."), ("", "", "1")],
)  # fmt: skip
def test_a_stretch_has_a_name_and_a_short_one(key: str, name: str, short: str) -> None:
    period = periods.read(key)
    assert period is not None
    assert days.name(period, "en") == name
    if key:
        assert days.short(period, "en") == short


def test_every_century_says_its_name() -> None:
    for number in (*range(-20, 0), *range(1, 22)):
        span = calendar.century(number)
        assert days.shown(span, "en") == days.century(number, "en")
