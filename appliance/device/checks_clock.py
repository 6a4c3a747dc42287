"""The clock: whether it has a battery, whether anybody has set it, whether it can be right at all."""

from collections.abc import Iterator

from appliance.device import clock
from appliance.device.watched import Sources
from appliance.records import Check

SLACK = 60.0  # seconds; the timer that keeps the time has an accuracy of its own
SET = "Set it from a phone or a computer: page Clock."


def checks(sources: Sources, now: float) -> Iterator[Check]:
    """`now` is the clock's own time, in seconds."""
    name = "Clock"
    kept = clock.read(sources.data)
    try:
        built = sources.built.stat().st_mtime
    except OSError:
        built = 0.0
    if now < built or (built and now > built + clock.LATEST):
        sentence = f"It stands at {clock.told(now)}, and the image was made on {clock.told(built)}."
        yield Check(name, "failing", sentence, SET)
    elif kept is None:
        sentence = "No time is kept on the card: after a power cut the clock starts at the image's date."
        yield Check(name, "wrong", sentence, "Look at the card: it may be full, or no longer written to.")
    elif kept + SLACK < now:
        sentence = f"The time is not kept any more, last at {clock.told(kept)}."
        yield Check(name, "wrong", sentence, "Look at the card: it may be full, or no longer written to.")
    elif any(sources.rtc.glob("rtc*")):
        yield Check(name, "on", clock.told(now))
    elif (sources.run / clock.SET).exists():
        yield Check(name, "on", f"{clock.told(now)}. No battery; it was set since this start.")
    else:
        sentence = (
            f"{clock.told(now)}, by the time that was kept: the board has no battery, and the time without "
            "power is missing."
        )
        yield Check(name, "noticed", sentence, SET)
