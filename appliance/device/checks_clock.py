"""The clock: whether it has a battery, whether anybody has set it, whether it can be right at all."""

from collections.abc import Iterator

from appliance.device import clock, said
from appliance.device.watched import Sources
from appliance.records import Check

SLACK = 60.0  # seconds; the timer that keeps the time has an accuracy of its own


def checks(sources: Sources, now: float) -> Iterator[Check]:
    """`now` is the clock's own time, in seconds."""
    kept = clock.read(sources.data)
    try:
        built = sources.built.stat().st_mtime
    except OSError:
        built = 0.0
    stands = clock.told(now)
    if now < built or (built and now > built + clock.LATEST):
        yield Check(
            said.CLOCK, "failing", said.NOT_LIKELY.format(now=stands, built=clock.told(built)), said.SET
        )
    elif kept is None:
        yield Check(said.CLOCK, "wrong", said.NO_TIME, said.LOOK)
    elif kept + SLACK < now:
        yield Check(said.CLOCK, "wrong", said.NOT_KEPT.format(last=clock.told(kept)), said.LOOK)
    elif any(sources.rtc.glob("rtc*")):
        yield Check(said.CLOCK, "on", stands)
    elif (sources.run / clock.SET).exists():
        yield Check(said.CLOCK, "on", said.WAS_SET.format(now=stands))
    else:
        yield Check(said.CLOCK, "noticed", said.NO_BATTERY.format(now=stands), said.SET)
