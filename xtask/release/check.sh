#!/bin/sh
# What must hold before a release, beside `make test`: the licences and advisories of all dependencies, every crate as it would be
# published, and that a release of the same minor version breaks no program.
#
# A tool that is missing is named with the line that installs it, and its part is skipped. CARGO names another cargo.
set -eu
cargo=${CARGO:-cargo}
failed=0

has() { command -v "$1" >/dev/null; }
missing() { echo "skipped: $1 ($2 is not installed; run: cargo install $2 --locked)"; }
part() {
    name=$1
    shift
    if "$@"; then echo "release-check: $name: in order"; else echo "error: $name: what is wrong stands above" >&2; failed=1; fi
}

if has cargo-deny; then
    part "licences, duplicates and sources" cargo-deny --workspace --all-features --locked --log-level error check --hide-inclusion-graph licenses bans sources
    if cargo-deny --workspace --locked --log-level error fetch db 2>/dev/null; then
        part "advisories" cargo-deny --workspace --all-features --locked --log-level error check --hide-inclusion-graph advisories
    else
        echo "skipped: advisories (cargo-deny cannot fetch the database of RustSec)"
    fi
else
    missing "licences, duplicates, sources and advisories" cargo-deny
fi

# Builds each crate from its package, against the packages of the others. Nothing is uploaded.
part "packages" "$cargo" publish --workspace --dry-run --locked ${ALLOW_DIRTY:+--allow-dirty}

if ! has cargo-semver-checks; then
    missing "semantic versioning" cargo-semver-checks
elif ! "$cargo" info --registry crates-io forebay >/dev/null 2>&1; then
    echo "skipped: semantic versioning (forebay is not published, so there is nothing to compare with)"
else
    part "semantic versioning" cargo-semver-checks semver-checks --workspace
fi
exit $failed
