//! Messages of the switch about its interfaces: one has become a part of another device, or takes VLAN tags out of frames. Devices
//! that the kernel lacks are skipped.

use super::devices::{POLICY, reach_each_other, with_each};
use super::network::{Net, Skipped, backend_of, with_hosts};
use forebay_linux::switch::{LinkState, Master, News, OpenError};

/// Puts `pr` into a device while a switch runs at it, and takes it out.
fn joins_and_leaves(net: &Net, backend: &str, name: &str, kind: &str) -> Result<(), Skipped> {
    let joined = || News::Joined(Master { name: name.to_owned(), kind: kind.to_owned() });
    let running = net.switch(backend, &["pa", "pr"], POLICY)?;
    reach_each_other(net, "e0");
    // A change of something else is no news.
    net.s.ip("link set pr alias uplink");
    // A part of a bond must be down when it joins.
    let join = || ["link set pr down".to_owned(), format!("link set pr master {name}")].map(|words| net.s.ip(&words));
    join();
    running.expect_news("pr", joined());
    for words in ["link set pr nomaster", "link set pr up"] {
        net.s.ip(words);
    }
    running.expect_news("pr", News::Left);
    reach_each_other(net, "e0");
    join();
    running.expect_news("pr", joined());
    let stats = running.stop();
    assert_eq!([0, 1].map(|port| stats.ports[port].link), [LinkState::There, LinkState::Part]);
    assert!(joined().to_string().contains(&format!("belongs to {name} ({kind}) now")));
    net.s.ip(&format!("link del {name}"));
    net.s.ip("link set pr up");
    Ok(())
}

#[test]
fn an_interface_that_is_put_into_a_bridge_while_the_switch_runs_is_said_and_marked() {
    with_each(1_500, |net, backend| {
        net.s.try_ip("link add br0 type bridge mcast_snooping 0")?;
        joins_and_leaves(net, backend, "br0", "bridge")
    });
}

#[test]
fn an_interface_that_is_put_into_a_bond_while_the_switch_runs_is_said_and_marked() {
    with_each(1_500, |net, backend| {
        net.s.try_ip("link add bond0 type bond mode active-backup")?;
        joins_and_leaves(net, backend, "bond0", "bond")
    });
}

#[test]
fn an_interface_that_comes_back_within_a_bridge_is_opened_when_it_is_taken_out() {
    with_each(1_500, |net, backend| {
        net.s.try_ip("link add br0 type bridge mcast_snooping 0")?;
        let running = net.switch(backend, &["pa", "pr"], POLICY)?;
        net.s.ip("link del pr");
        running.expect_news("pr", News::Gone);
        net.join('r', "px", "e0", 1_500)?;
        net.s.ip("link set px master br0");
        net.s.ip("link set px name pr");
        let master = Master { name: "br0".to_owned(), kind: "bridge".to_owned() };
        running.expect_news("pr", News::NotOpened(OpenError::Part(master)));
        net.s.ip("link set pr nomaster");
        running.expect_news("pr", News::Back);
        reach_each_other(net, "e0");
        running.stop();
        Ok(())
    });
}

#[test]
fn af_xdp_says_which_interfaces_take_vlan_tags_out_of_frames() {
    with_hosts(|| {
        let net = Net::new(1_500)?;
        net.s.try_ip("link add br0 type bridge mcast_snooping 0")?;
        net.s.ip("link set br0 up");
        // Where there are no AF_XDP sockets this skips.
        drop(net.switch("af-xdp", &["pa", "pr"], POLICY)?);
        net.s.enter();
        let mode = |port: &str| backend_of("af-xdp").open(port).unwrap().mode().unwrap();
        let offloads = mode("pa");
        assert!(offloads.contains("rx-vlan-offload") && offloads.contains("rxvlan off"), "{offloads}");
        let keeps = mode("br0");
        assert!(keeps.contains("XDP") && !keeps.contains("vlan"), "{keeps}");
        Ok(())
    });
}
