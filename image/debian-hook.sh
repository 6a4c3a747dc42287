#!/bin/sh
# mmdebstrap calls this when all packages are set up: debian-hook.sh ROOT RECORD
# Unpacks raspi-firmware, which is not installed: its scripts expect a mounted boot partition. Writes down every
# package with its version, size and SHA-256, as apt's signed lists have them.
set -eu
root=$1
record=$root/$2
export APT_CONFIG="$MMDEBSTRAP_APT_CONFIG"

if [ -d "$root/native" ]; then # unpack-hook.sh
  mv "$root/native/dpkg-deb.card" "$root/usr/bin/dpkg-deb"
  rm -r "$root/native"
fi

fetched=$(mktemp -d)
cd "$fetched"
apt-get -q download raspi-firmware
dpkg-deb -x raspi-firmware_*.deb "$root"
rm -r "$fetched" "$root"/etc/kernel/*/z50-raspi-firmware "$root"/etc/initramfs/post-update.d/z50-raspi-firmware
rm -f "$root"/usr/share/initramfs-tools/hooks/raspi-firmware-fsck "$root"/etc/default/raspi-firmware

mkdir -p "${record%/*}"
{
  # shellcheck disable=SC2016 # the fields are dpkg-query's
  dpkg-query --admindir="$root/var/lib/dpkg" -W -f '${Package}=${Version}\n'
  apt-cache policy raspi-firmware | sed -n 's/^ *Candidate: /raspi-firmware=/p'
} | xargs apt-cache show | grep -E '^(Package|Version|Architecture|Size|SHA256):|^$' >"$record"
