"""How much the box is used, by the day: numbers alone. No address, no text, no time finer than a day."""
