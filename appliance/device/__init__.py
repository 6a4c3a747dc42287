"""What makes a card a box: the owner's settings, the hotspot, the first boot, the clock, the helper.

Everything here that runs as root needs the standard library alone.
"""
