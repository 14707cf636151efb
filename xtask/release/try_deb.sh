#!/bin/sh
# Tries the Debian package in a fresh root of Debian: installs it, reads the manual, completes in three shells, verifies the
# units, and switches frames with forebay-switch.service.
#
# try_deb.sh PACKAGE ROOT
#
# The root is made by debootstrap unless it is there. Where systemd-nspawn can boot it, the unit is started by systemd in it. Otherwise
# the command of the unit runs in network namespaces. Either way frames pass between two hosts. Needs root.
set -eu
package=$1 root=$2
here=$(dirname "$0")

skip() {
    echo "skipped: the Debian package: $1"
    exit 0
}
fail() {
    echo "error: $1" >&2
    exit 1
}
[ "$(id -u)" = 0 ] || skip "a root of Debian can be made only as root"
command -v debootstrap >/dev/null || skip "debootstrap is missing; run: apt-get install debootstrap"
[ -f "$package" ] || fail "there is no package $package; run: make deb"

if [ ! -e "$root/.complete" ]; then
    rm -rf "$root"
    debootstrap --variant=minbase \
        --include=systemd,systemd-sysv,man-db,bash-completion,zsh,fish,iproute2,iputils-ping,libelf1,zlib1g bookworm "$root" \
        >"$root.log" 2>&1 || skip "debootstrap has failed ($root.log says why)"
    touch "$root/.complete"
fi

in_root() {
    chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb LC_ALL=C.UTF-8 "$@"
}

unmount() {
    umount --recursive "$root" 2>/dev/null || umount "$root/proc" 2>/dev/null || true
}
trap unmount EXIT
mount -t proc proc "$root/proc"

in_root dpkg --purge forebay >/dev/null 2>&1 || true
cp "$package" "$root/forebay.deb"
in_root dpkg -i /forebay.deb >"$root.log" 2>&1 || { cat "$root.log"; fail "dpkg -i has failed"; }
echo "installed: $(in_root forebay --version)"

# Every subcommand that the help lists has a page.
pages=0
for name in $(in_root forebay --help | sed -n 's/^  \([a-z]\{2,\}\) .*/\1/p'); do
    in_root man -w "forebay-$name" >/dev/null || fail "man forebay-$name finds no page"
    pages=$((pages + 1))
done
[ "$pages" -ge 20 ] || fail "the help lists only $pages subcommands"
for heading in NAME SYNOPSIS OPTIONS EXAMPLES; do
    in_root man forebay-run | grep -q "^$heading" || fail "man forebay-run has no section $heading"
done
echo "manual: forebay(1) and pages of $pages subcommands"

in_root bash -c '. /usr/share/bash-completion/bash_completion; _completion_loader forebay
    COMP_WORDS=(forebay ru) COMP_CWORD=1 COMP_LINE="forebay ru" COMP_POINT=10
    $(complete -p forebay | sed "s/.*-F \([^ ]*\).*/\1/") forebay ru forebay; [ "${COMPREPLY[*]}" = run ]' \
    || fail "bash does not complete \`forebay ru\`"
in_root zsh -fc 'autoload -Uz compinit; compinit -D; [ "$_comps[forebay]" = _forebay ]' || fail "zsh knows no completion of forebay"
in_root fish -c 'complete -C "forebay ru"' 2>/dev/null | grep -q '^run' || fail "fish does not complete \`forebay ru\`"
echo "completions: bash, zsh, fish"

# The playground's first page, by a client in the same root. The server prints its address when it is ready.
if [ -e "$root/usr/share/forebay/web/forebay.wasm" ]; then
    page=$(in_root bash -c 'coproc forebay play --port 0 2>&1
        read -r address <&"${COPROC[0]}"
        port=${address##*:} port=${port%%/*}
        exec 3<>"/dev/tcp/127.0.0.1/$port"
        printf "GET / HTTP/1.0\r\nHost: 127.0.0.1:%s\r\n\r\n" "$port" >&3
        cat <&3
        kill "$COPROC_PID"' 2>&1 || true)
    case $page in *"<title>"*) echo "playground: forebay play serves its pages" ;; *) fail "forebay play serves no page: $page" ;; esac
else
    echo "playground: not in this package"
fi

for unit in forebay-switch.service forebay-deploy@eth0.service; do
    said=$(in_root systemd-analyze verify --man=yes "$unit" 2>&1) || fail "$unit: $said"
    case $said in *forebay*) fail "$unit: $said" ;; esac
done
echo "units: systemd-analyze verify finds nothing"
unmount

# The package names interfaces eth1 and eth2; two hosts in namespaces of their own are at their other ends.
cp "$here/switch_unit.sh" "$root/switch_unit.sh"
rm -f "$root/result"
cat >"$root/etc/systemd/system/try.service" <<'UNIT'
[Unit]
After=multi-user.target
[Service]
Type=oneshot
ExecStart=/bin/sh -c '/bin/sh /switch_unit.sh systemd >/result 2>&1; echo "status $?" >>/result; systemctl poweroff --force'
[Install]
WantedBy=multi-user.target
UNIT
mkdir -p "$root/etc/systemd/system/multi-user.target.wants"
ln -sf ../try.service "$root/etc/systemd/system/multi-user.target.wants/try.service"
if command -v systemd-nspawn >/dev/null; then
    SYSTEMD_SECCOMP=0 timeout 180 systemd-nspawn --quiet --register=no --keep-unit --private-network --directory "$root" --boot \
        >"$root.log" 2>&1 </dev/null || true
fi
if [ -f "$root/result" ]; then
    cat "$root/result"
    grep -q '^status 0$' "$root/result" || fail "the unit does not switch frames"
else
    echo "systemd cannot boot here ($root.log); the command of the unit runs in namespaces"
    # `ip netns exec` asks for a root that is mounted.
    mount --bind "$root" "$root"
    mount -t proc proc "$root/proc"
    mount -t tmpfs run "$root/run"
    unshare --net sh -ec "mount -t sysfs sys '$root/sys'; exec chroot '$root' /bin/sh /switch_unit.sh command" \
        || fail "the command of the unit does not switch frames"
fi
