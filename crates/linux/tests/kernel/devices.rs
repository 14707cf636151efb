//! Devices of today's networks as interfaces of the switch and between its hosts: VLAN devices, bridges, bonds, large frames, and
//! IPv6 with extension headers. Devices that the kernel lacks are skipped.

use super::network::{Net, Running, Skipped, Space, Station, with_hosts};
use etherparse::{IpHeaders, IpNumber, Ipv4Extensions, Ipv4Header, PacketBuilder};
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::time::Duration;

/// Reads class and flow.
pub(crate) const POLICY: &str = "
q[1..2] = Queue(500 pkts);
out = Port(100, q[1..2]);
classify(p) = (p.class == 46, enter(q1)).(mod(p.flow, 2) == 0, enter(q1)).(true, enter(q2));
";
const BACKENDS: [&str; 2] = ["af-packet", "af-xdp"];
/// Expedited forwarding.
const EF: u8 = 46;

/// A datagram between hosts of these numbers.
pub(crate) fn datagram(from: u8, to: u8, port: u16) -> Vec<u8> {
    let mut ip = Ipv4Header::new(0, 64, IpNumber::UDP, [10, 0, 0, from], [10, 0, 0, to]).unwrap();
    ip.dscp = EF.try_into().unwrap();
    let mut bytes = Vec::new();
    PacketBuilder::ethernet2([2, 0, 0, 0, 0, from], [2, 0, 0, 0, 0, to])
        .ip(IpHeaders::Ipv4(ip, Ipv4Extensions::default()))
        .udp(port, 2_000)
        .write(&mut bytes, &[from; 100])
        .unwrap();
    bytes
}

/// The frame behind these tags, of a type and a VLAN each, the outermost first.
fn tagged(frame: &[u8], tags: &[(u16, u16)]) -> Vec<u8> {
    let mut bytes = frame.to_vec();
    for (kind, vlan) in tags.iter().rev() {
        bytes.splice(12..12, [*kind, 0x6000 | vlan].map(u16::to_be_bytes).concat());
    }
    bytes
}

/// Tries something with each back end, in new namespaces with this MTU.
pub(crate) fn with_each(mtu: u32, try_it: impl Fn(&Net, &str) -> Result<(), Skipped> + Send + 'static) {
    with_hosts(move || {
        BACKENDS.into_iter().try_for_each(|backend| {
            println!("{backend}");
            try_it(&Net::new(mtu)?, backend)
        })
    });
}

/// Stations at a device of `a` and at `e0` of `r` reach each other, and nothing comes twice.
#[track_caller]
pub(crate) fn reach_each_other(net: &Net, link: &str) -> [Station; 2] {
    let (mut a, mut r) = (Station::new(&net.a, link), Station::new(&net.r, "e0"));
    // The address becomes known on both ways.
    a.send_until(&datagram(1, 2, 1), &mut r);
    r.send_until(&datagram(2, 1, 1), &mut a);
    for station in [&mut a, &mut r] {
        station.settle();
    }
    for port in 100..150 {
        a.send(&datagram(1, 2, port));
        r.send(&datagram(2, 1, port));
    }
    for port in 100..150 {
        r.expect(&datagram(1, 2, port));
        a.expect(&datagram(2, 1, port));
    }
    a.expect_nothing();
    r.expect_nothing();
    [a, r]
}

#[test]
fn a_vlan_device_is_an_interface_of_the_switch() {
    with_each(1_500, |net, backend| {
        for (space, link) in [(&net.s, "pa"), (&net.a, "e0")] {
            space.try_ip(&format!("link add link {link} name {link}.7 type vlan id 7"))?;
            space.ip(&format!("link set {link}.7 up"));
        }
        let running = net.switch(backend, &["pa.7", "pr"], POLICY)?;
        let [_, mut r] = reach_each_other(net, "e0.7");
        // Another VLAN of the same link is none of the switch's.
        Station::new(&net.a, "e0").send(&tagged(&datagram(1, 2, 1), &[(0x8100, 8)]));
        r.expect_nothing();
        let stats = running.stop();
        assert!(stats.ports[0].received >= 51 && stats.ports[1].received >= 51);
        Ok(())
    });
}

#[test]
fn tags_on_a_trunk_are_kept_and_fields_are_read_behind_them() {
    with_each(1_500, |net, backend| {
        let running = net.switch(backend, &["pa", "pr"], POLICY)?;
        let (mut a, mut r) = (Station::new(&net.a, "e0"), Station::new(&net.r, "e0"));
        let plain = datagram(1, 2, 1);
        let stacks: [&[(u16, u16)]; 4] =
            [&[], &[(0x8100, 7)], &[(0x88a8, 5), (0x8100, 7)], &[(0x8100, 9), (0x8100, 7)]];
        for tags in stacks {
            a.send(&tagged(&plain, tags));
            r.expect(&tagged(&plain, tags));
        }
        let seen = running.seen();
        assert!(seen.len() == 4 && seen[0].0 != 0 && seen[0].1 == EF, "{backend}: {seen:?}");
        assert_eq!(seen, [seen[0]; 4], "{backend}");
        r.expect_nothing();
        running.stop();
        Ok(())
    });
}

#[test]
fn hosts_behind_vlan_devices_reach_each_other() {
    with_hosts(|| {
        let net = Net::new(1_500)?;
        for space in [&net.a, &net.r] {
            space.try_ip("link add link e0 name e0.7 type vlan id 7")?;
            space.ip("link set e0.7 up");
        }
        let running = net.switch("af-packet", &["pa", "pr"], POLICY)?;
        let (mut a, mut r) = (Station::new(&net.a, "e0.7"), Station::new(&net.r, "e0.7"));
        a.send(&datagram(1, 2, 1));
        r.expect(&datagram(1, 2, 1));
        r.send(&datagram(2, 1, 1));
        a.expect(&datagram(2, 1, 1));
        assert_eq!(running.seen()[0].1, EF);
        exchange_by_tcp(&net, ["e0.7", "e0.7"]);
        running.stop();
        Ok(())
    });
}

/// What a device lets a part of it say.
fn expect_refusal(net: &Net, backend: &str, port: &str, master: &str) {
    let refused = net.refusal(backend, port);
    let name = master.split(' ').next().unwrap();
    assert!(
        refused.contains(&format!("belongs to {master}")) && refused.contains(&format!("--port {name}")),
        "{backend}: {refused}"
    );
}

#[test]
fn a_bridge_is_an_interface_of_the_switch_and_its_ports_are_none() {
    with_each(1_500, |net, backend| {
        net.s.try_ip("link add br0 type bridge mcast_snooping 0")?;
        net.s.ip("link set pa master br0");
        net.s.ip("link set br0 up");
        expect_refusal(net, backend, "pa", "br0 (bridge)");
        let running = net.switch(backend, &["br0", "pr"], POLICY)?;
        reach_each_other(net, "e0");
        running.stop();
        net.s.ip("link set pa nomaster");
        let running = net.switch(backend, &["pa", "pr"], POLICY)?;
        reach_each_other(net, "e0");
        running.stop();
        Ok(())
    });
}

/// Joins two more links of `a`, `e1` and `e2` to `p1` and `p2`, and makes a bond of them there.
fn bond_of_host(net: &Net, mode: &str) -> Result<(), Skipped> {
    net.join('a', "p1", "e1", 1_500)?;
    net.join('a', "p2", "e2", 1_500)?;
    bond(&net.a, mode, ["e1", "e2"])
}

fn bond(space: &Space, mode: &str, parts: [&str; 2]) -> Result<(), Skipped> {
    let rate = if mode == "802.3ad" { " lacp_rate fast" } else { "" };
    space.try_ip(&format!("link add bond0 type bond mode {mode} miimon 50{rate}"))?;
    for part in parts {
        space.ip(&format!("link set {part} down"));
        space.ip(&format!("link set {part} master bond0"));
    }
    space.ip("link set bond0 up");
    Ok(())
}

#[test]
fn a_bond_is_an_interface_of_the_switch_and_its_parts_are_none() {
    for mode in ["active-backup", "balance-rr", "802.3ad"] {
        with_each(1_500, move |net, backend| {
            println!("{mode}");
            bond_of_host(net, mode)?;
            bond(&net.s, mode, ["p1", "p2"])?;
            expect_refusal(net, backend, "p1", "bond0 (bond)");
            let running = net.switch(backend, &["bond0", "pr"], POLICY)?;
            reach_each_other(net, "bond0");
            running.stop();
            Ok(())
        });
    }
}

#[test]
fn a_bond_of_a_host_moves_from_port_to_port() {
    with_each(1_500, |net, backend| {
        bond_of_host(net, "active-backup")?;
        let running = net.switch(backend, &["p1", "p2", "pr"], POLICY)?;
        let [mut a, mut r] = reach_each_other(net, "bond0");
        for lost in ["e1", "e2"] {
            net.a.ip(&format!("link set {lost} down"));
            a.send_until(&datagram(1, 2, 1), &mut r);
            r.send_until(&datagram(2, 1, 1), &mut a);
            net.a.ip(&format!("link set {lost} up"));
        }
        running.stop();
        Ok(())
    });
}

/// Gives devices of `a` and `r` addresses, and sends 4 MB over TCP from one to the other.
fn exchange_by_tcp(net: &Net, [from, to]: [&str; 2]) {
    const BYTES: usize = 4_000_000;
    net.a.ip(&format!("addr add 10.80.0.1/24 dev {from}"));
    net.r.ip(&format!("addr add 10.80.0.2/24 dev {to}"));
    net.r.enter();
    let listener = TcpListener::bind("10.80.0.2:9000").unwrap();
    net.a.enter();
    let limit = Duration::from_secs(10);
    let mut sender = TcpStream::connect_timeout(&"10.80.0.2:9000".parse().unwrap(), limit).unwrap();
    sender.set_write_timeout(Some(limit)).unwrap();
    let (mut receiver, _) = listener.accept().unwrap();
    receiver.set_read_timeout(Some(limit)).unwrap();
    let sends = std::thread::spawn(move || sender.write_all(&vec![7; BYTES]).unwrap());
    let mut came = Vec::new();
    receiver.read_to_end(&mut came).unwrap();
    sends.join().unwrap();
    assert!(came == vec![7; BYTES], "{} bytes come", came.len());
}

/// Sends datagrams that fill packets of this many bytes from `a` to `r`, one by one.
fn exchange_large_datagrams(net: &Net, mtu: usize) {
    net.r.enter();
    let receiver = UdpSocket::bind("10.80.0.2:9001").unwrap();
    receiver.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    net.a.enter();
    let sender = UdpSocket::bind("10.80.0.1:0").unwrap();
    let mut room = vec![0; 1 << 16];
    for number in 0..20 {
        let payload = vec![number; mtu - 28];
        sender.send_to(&payload, "10.80.0.2:9001").unwrap();
        let length = receiver.recv(&mut room).unwrap();
        assert!(room[..length] == payload, "{length} bytes come");
    }
}

#[test]
fn frames_of_9000_bytes_pass() {
    with_hosts(|| {
        let net = Net::new(9_000)?;
        let running = net.switch("af-packet", &["pa", "pr"], POLICY)?;
        exchange_by_tcp(&net, ["e0", "e0"]);
        exchange_large_datagrams(&net, 9_000);
        let port = &running.stop().ports[1];
        assert!(port.sent_bytes / port.sent > 6_000, "{} bytes in {} frames", port.sent_bytes, port.sent);
        Ok(())
    });
}

#[test]
fn af_xdp_takes_frames_of_3818_bytes_and_refuses_devices_with_more() {
    with_hosts(|| {
        let net = Net::new(3_818)?;
        let running = net.switch("af-xdp", &["pa", "pr"], POLICY)?;
        net.a.ip("addr add 10.80.0.1/24 dev e0");
        net.r.ip("addr add 10.80.0.2/24 dev e0");
        exchange_large_datagrams(&net, 3_818);
        running.stop();
        net.s.ip("link set pa mtu 3819");
        let refused = net.refusal("af-xdp", "pa");
        assert!(refused.contains("has an MTU of 3819") && refused.contains("mtu 3818"), "{refused}");
        Ok(())
    });
}

/// A datagram over IPv6 behind extension headers of these numbers.
fn datagram6(extensions: &[u8], host: u8, port: u16) -> Vec<u8> {
    let mut carried = [port, 2_000, 30, 0x1234].map(u16::to_be_bytes).concat();
    carried.extend([7; 22]);
    let mut next = 17;
    for kind in extensions.iter().rev() {
        // A fragment, the first of several; a routing header of no segments; options that are padding.
        let rest: [u8; 7] = match kind {
            44 => [0, 0, 1, 0, 0, 0, 9],
            43 => [0; 7],
            _ => [0, 1, 4, 0, 0, 0, 0],
        };
        carried = [&[next], &rest[..], &carried].concat();
        next = *kind;
    }
    let mut bytes = vec![2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 0x86, 0xdd];
    bytes.extend([0x60 | EF >> 2, (EF << 6) & 0xf0, 0, 0]);
    bytes.extend(u16::try_from(carried.len()).unwrap().to_be_bytes());
    bytes.extend([next, 64]);
    for end in [host, 2] {
        bytes.extend([0x20, 1, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, end]);
    }
    bytes.extend(carried);
    bytes
}

/// The flows of a datagram, of one from another port, and of one from another host.
fn flows(running: &Running, extensions: &[u8], a: &mut Station, r: &mut Station) -> [u32; 3] {
    let before = running.seen().len();
    for (host, port) in [(1, 1_000), (1, 1_001), (3, 1_000)] {
        let frame = datagram6(extensions, host, port);
        a.send(&frame);
        r.expect(&frame);
    }
    let seen = running.seen().split_off(before);
    assert!(seen.len() == 3 && seen.iter().all(|(_, class)| *class == EF), "{extensions:?}: {seen:?}");
    [0, 1, 2].map(|number| seen[number].0)
}

#[test]
fn class_and_flow_of_ipv6_are_read_in_front_of_extension_headers() {
    with_each(1_500, |net, backend| {
        let running = net.switch(backend, &["pa", "pr"], POLICY)?;
        let (mut a, mut r) = (Station::new(&net.a, "e0"), Station::new(&net.r, "e0"));
        let [one, port, host] = flows(&running, &[], &mut a, &mut r);
        assert!(one != port && one != host && port != host, "{backend}: {one} {port} {host}");
        // Hop by hop, for the destination, routing, a fragment; and all of them.
        for extensions in [&[0_u8][..], &[60], &[43], &[44], &[0, 60, 43, 44, 60]] {
            let [one, port, host] = flows(&running, extensions, &mut a, &mut r);
            assert!(one == port && one != host && one != 0, "{backend}: {extensions:?}: {one} {port} {host}");
        }
        r.expect_nothing();
        running.stop();
        Ok(())
    });
}
