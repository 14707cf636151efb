#!/bin/sh
# In a root of Debian with the package: joins two hosts by forebay-switch.service, and sends pings through it.
#
# switch_unit.sh systemd|command: starts the unit, or what its ExecStart names.
set -eu
control=/run/forebay-switch/switch.sock

# A host is a namespace with one end of a link.
hosts="a b"
number=1
for host in $hosts; do
    ip netns add "$host"
    ip link add "eth$number" type veth peer name inside netns "$host"
    ip link set "eth$number" up
    ip -n "$host" addr add "10.9.0.$number/24" dev inside
    ip -n "$host" link set inside up
    number=$((number + 1))
done

case $1 in
systemd)
    systemctl start forebay-switch
    systemctl is-active forebay-switch
    ;;
command)
    mkdir -p /run/forebay-switch
    set -a
    . /dev/stdin <<ENVIRONMENT
$(sed -n 's/^\(FOREBAY_SWITCH_ARGS\)=\(.*\)/\1="\2"/p' /etc/forebay/switch.env)
ENVIRONMENT
    command=$(sed -n 's/^ExecStart=//p' /usr/lib/systemd/system/forebay-switch.service)
    eval "$command &"
    ;;
esac
for _ in 1 2 3 4 5 6 7 8 9 10; do
    [ -S $control ] && break
    sleep 1
done
ip netns exec a ping -c 3 -W 2 10.9.0.2 >/dev/null || { echo "no ping passes the switch"; exit 1; }
forebay ctl --control $control stats
case $1 in
systemd)
    systemctl show forebay-switch --property=User,DynamicUser,ActiveState,MainPID
    systemctl stop forebay-switch
    [ "$(systemctl show forebay-switch --property=Result --value)" = success ] || { echo "the unit does not stop in order"; exit 1; }
    ;;
command)
    forebay ctl --control $control stop
    wait
    ;;
esac
echo "the switch of the package has passed pings ($1)"
