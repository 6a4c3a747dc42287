"""The printed label of a box: an A6 page with two codes, one to join its Wi-Fi and one to open the library.

`make.make` is the door. What the page says is found out by `known`; it is made once, as PDF (`sheet`), and
the PNG is a picture of it (`picture`).
"""

NAME = "lamplight-label"  # of its files
