#!/bin/sh
# Builds the firmware images of the tests with Debian's own tools, as whoever makes devices does:
#   apt-get install e2fsprogs dosfstools zip
set -eu
cd "$(dirname "$0")"
export PATH="$PATH:/usr/sbin:/sbin" SOURCE_DATE_EPOCH=1700000000
rm -f ./*.img ./*.zip
content=$(mktemp -d)
trap 'rm -rf "$content"' EXIT
echo 'The system of a small device.' >"$content/etc-issue"
mkfs.ext4 -q -O ^has_journal,^resize_inode -b 1024 -N 16 -d "$content" system.ext4.img 128
mkfs.vfat -n BOOT -i 12345678 -C boot.vfat.img 64 >/dev/null
zip -q -X both.zip system.ext4.img boot.vfat.img
