"""Makes the SD card's image: `./build.sh image`. Each module `stepNN_…` is one step; `__main__` has their
order.

Works as root on Debian or Ubuntu, without loop devices: programs of the card run through QEMU's user
emulation. Everything fetched or made is kept in LAMPLIGHT_HOME/image; only the finished image goes to dist/.
"""
