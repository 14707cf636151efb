//! The target `dpdk`: a DPDK program that runs the policy at its ports, and plays operations with its own packets.
//!
//! `docs/targets/dpdk.md` describes its use and its requirements. Its C is in `src/dpdk/`.

use crate::TargetOption;
use crate::option::{FIELD, SLOTS, SMALLEST_PACKET};
use crate::{Files, Refusal, Target, TargetOptions, c};
use forebay_core::{About, Exactness};
use forebay_lang::Policy;

/// The registry's entry.
pub const ENTRY: &'static dyn Target = &Dpdk;

/// The target `dpdk`.
struct Dpdk;

const ABOUT: About = About {
    name: "dpdk",
    title: "A DPDK program that forwards between ports, each with the policy at its egress",
    exactness: Exactness::NotApplicable,
    hardware: "network cards that DPDK drives, or its virtual devices; DPDK 22.11",
    cost: "as for the target c; it also reads the headers of each packet",
    source: "docs/targets/dpdk.md",
    params: &[],
};

const FILES: [(&str, &str); 10] = [
    ("oq_play.h", include_str!("../c/play.h")),
    ("dpdk_lane.h", include_str!("../dpdk/lane.h")),
    ("dpdk_ports.h", include_str!("../dpdk/ports.h")),
    ("dpdk_report.h", include_str!("../dpdk/report.h")),
    ("dpdk_rings.h", include_str!("../dpdk/rings.h")),
    ("dpdk_change.h", include_str!("../dpdk/change.h")),
    ("dpdk_play.h", include_str!("../dpdk/play.h")),
    ("dpdk_measure.h", include_str!("../dpdk/measure.h")),
    ("main.c", include_str!("../dpdk/main.c")),
    ("Makefile", include_str!("../dpdk/Makefile")),
];

impl Target for Dpdk {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn options(&self) -> &'static [TargetOption] {
        &[FIELD, SMALLEST_PACKET, SLOTS]
    }

    fn check(&self, policy: &Policy, options: &TargetOptions) -> Vec<Refusal> {
        let unsaid = options
            .mapping
            .unsaid(policy)
            .into_iter()
            .map(|unsaid| Refusal { construct: format!("packet.{}", unsaid.0.name()), reason: unsaid.to_string() });
        let egress = options.mapping.from_egress(policy).map(|field| Refusal {
            construct: format!("packet.{}", field.name()),
            reason: "it comes from `egress`, and this program has no forwarding table: it forwards between pairs of \
                 ports, or to the port that the policy names; give it another source"
                .to_owned(),
        });
        c::check(policy, options).into_iter().chain(unsaid).chain(egress).collect()
    }

    fn emit(&self, policy: &Policy, options: &TargetOptions) -> Result<Files, Vec<Refusal>> {
        let refusals = self.check(policy, options);
        if !refusals.is_empty() {
            return Err(refusals);
        }
        let mut files = c::core(policy, options)?;
        files.extend(c::versions(policy));
        files.extend(c::fixed_files(&FILES, policy));
        Ok(files)
    }
}
