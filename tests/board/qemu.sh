#!/bin/bash
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: qemu.sh BOARD
# Tests a virtual board (as sim-uart's argument) behind an FTDI chip of independent origin: QEMU's usb-serial, in a
# guest with Debian's kernel, its usbfs, libusb and libftdi. flitloom serve provides the board on a socket. The guest
# runs the command with --link ftdi: and the acceptance programs, whose traces must be those of --link sim. It needs
# no KVM. LCCS (4), LISTS (4): how many; FLITLOOM: the program; KERNEL: a folder with a kernel as in Debian's package,
# by default fetched by apt-get into build/qemu. Ends in "N passed, N failed".
set -eu
cd "$(dirname "$0")/../.."
board=$1
flitloom=$(realpath "${FLITLOOM:-build/flitloom}")
lccs=${LCCS:-4} lists=${LISTS:-4}
boot_s=180 run_s=$((300 + 60 * (lccs + lists)))
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null; rm -rf "$folder"' EXIT
die() {
	echo "FAIL: $*"
	echo "0 passed, 1 failed"
	exit 1
}

# Unpacked and not installed: an installed kernel would be the next one that this machine boots.
kernel=${KERNEL:-build/qemu/kernel}
if [ ! -d "$kernel/boot" ]; then
	package=$(apt-cache depends linux-image-amd64 | sed -n 's/.*Depends: \(linux-image-[0-9][^ ]*\)/\1/p' | head -n 1)
	[ -n "$package" ] || die "apt knows no linux-image-amd64: apt-get update"
	mkdir -p "$folder/package"
	(cd "$folder/package" && timeout 600 apt-get download -qq "$package") || die "apt-get cannot fetch $package"
	mkdir -p "$(dirname "$kernel")"
	dpkg-deb -x "$folder"/package/*.deb "$kernel.new"
	mv "$kernel.new" "$kernel"
fi
vmlinuz=$(echo "$kernel"/boot/vmlinuz-*)
drivers=$(echo "$kernel"/lib/modules/*/kernel/drivers/usb)

# The guest: busybox, the programs with their libraries, the kernel's USB, the list of what is to be done.
root=$folder/root
mkdir -p "$root"/{bin,dev,proc,sys,tmp,modules,work/traces,work/tests/board}
cp "$(command -v busybox)" "$root/bin/"
for program in /bin/bash "$flitloom"; do
	cp "$program" "$root/bin/"
	ldd "$program" | grep -o '/[^ ]*' | while read -r library; do
		mkdir -p "$root$(dirname "$library")"
		cp -L "$library" "$root$library"
	done
done
for module in common/usb-common core/usbcore host/xhci-hcd host/xhci-pci; do
	cp "$drivers/$module.ko" "$root/modules/"
done
cp tests/board/accept.sh "$root/work/tests/board/"

"$flitloom" serve "sim-uart:$board" "$folder/socket" >"$folder/out" 2>"$folder/serve.err" &
server=$!
for _ in $(seq 6000); do
	[ -s "$folder/out" ] && break
	kill -0 "$server" 2>/dev/null || die "no board: $(cat "$folder/serve.err")"
	sleep 0.1
done
fabric=$("$flitloom" probe "sim-uart:$board" | sed -n 's/^\([a-z]*:[0-9x]*\) .*/\1/p')
[ -n "$fabric" ] || die "no fabric in $board"
FLITLOOM=$flitloom tests/board/accept.sh "$fabric" "$root/work/traces" sim "$lccs" "$lists" >"$folder/sim.log" 2>&1 ||
	die "sim: $(cat "$folder/sim.log")"

cat >"$root/init" <<END
#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin LD_LIBRARY_PATH=/lib/x86_64-linux-gnu:/usr/lib/x86_64-linux-gnu
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev
ln -sf /proc/self/fd /dev/fd
for module in usb-common usbcore xhci-hcd xhci-pci; do
	insmod /modules/\$module.ko || echo "FAIL: insmod \$module"
done
for i in \$(seq $boot_s); do
	grep -qs 0403 /sys/bus/usb/devices/*/idVendor && break
	sleep 1
done
cat /sys/bus/usb/devices/*/product
cd /work
echo BEGIN
flitloom probe ftdi:0403:6001
flitloom run $fabric complement --link ftdi:0403:6001
FLITLOOM=flitloom tests/board/accept.sh $fabric traces ftdi: $lccs $lists
echo END
poweroff -f
END
chmod +x "$root/init"
(cd "$root" && find . | busybox cpio -o -H newc 2>/dev/null | gzip -1) >"$folder/initrd.gz"

timeout $((boot_s + run_s)) qemu-system-x86_64 -accel tcg -cpu max -m 512 -nographic -no-reboot -nic none -kernel "$vmlinuz" \
	-initrd "$folder/initrd.gz" -append "console=ttyS0 quiet panic=-1" -device qemu-xhci \
	-chardev "socket,id=board,path=$folder/socket" -device usb-serial,chardev=board \
	</dev/null >"$folder/console" 2>"$folder/qemu.err" || die "qemu: status $?; $(tail -n 3 "$folder/qemu.err" "$folder/console")"
tr -d '\r' <"$folder/console" | sed -n '/^BEGIN$/,/^END$/p' >"$folder/log"
grep -q '^END$' "$folder/log" || die "the guest did not end: $(tail -n 5 "$folder/console")"
sed '/^BEGIN$/d; /^END$/d' "$folder/log"
! grep -q '^FAIL' "$folder/log" && grep -qE '^[1-9][0-9]* passed, 0 failed$' "$folder/log"
