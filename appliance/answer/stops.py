"""Where an answer ends although the model has not said so."""

from collections.abc import Sequence

# Chat markers that a model may spell out as plain text instead of sending the token for it.
STOPS = ("<|im_end|>", "<|im_start|>", "<|endoftext|>", "<|eot_id|>")


class StopText:
    """Cuts a stream of text at the first of some words, holding back what may be the beginning of one."""

    def __init__(self, stops: Sequence[str] = STOPS) -> None:
        self._stops = stops
        self._held = ""
        self.reached = False

    def feed(self, text: str) -> str:
        text = self._held + text
        self._held = ""
        found = [at for stop in self._stops if (at := text.find(stop)) >= 0]
        if found:
            self.reached = True
            return text[: min(found)]
        longest = max((_overlap(text, stop) for stop in self._stops), default=0)
        self._held = text[len(text) - longest :]
        return text[: len(text) - longest]

    def end(self, text: str) -> str:
        """What is left when the model has ended by itself."""
        if self.reached:
            return ""
        released = self.feed(text)
        return released if self.reached else released + self._held


def _overlap(text: str, stop: str) -> int:
    """How many letters at the end of the text are the beginning of `stop`."""
    return next((n for n in range(len(stop) - 1, 0, -1) if text.endswith(stop[:n])), 0)
