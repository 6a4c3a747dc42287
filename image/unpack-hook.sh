#!/bin/sh
# mmdebstrap calls this when the essential packages are set up: unpack-hook.sh ROOT
# Much of what emulation has to do for Debian is to decompress packages. This machine's dpkg-deb does that for
# all others; debian-hook.sh puts the card's own back.
set -eu
root=$1
[ "$(dpkg --print-architecture)" != arm64 ] || exit 0

program=$(command -v dpkg-deb)
mkdir "$root/native"
cp -L "$program" "$root/native/dpkg-deb"
ldd "$program" | grep -o '/[^ ]*' | while read -r library; do cp -L "$library" "$root/native/"; done
loader=$(basename "$(ldd "$program" | grep -o '/[^ ]*/ld-[^ ]*')")
mv "$root/usr/bin/dpkg-deb" "$root/native/dpkg-deb.card"
cat >"$root/usr/bin/dpkg-deb" <<END
#!/bin/sh
exec /native/$loader --library-path /native /native/dpkg-deb "\$@"
END
chmod 755 "$root/usr/bin/dpkg-deb"
