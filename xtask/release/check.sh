#!/bin/sh
# Checks a release, after `make test`: the licences and advisories of all dependencies, each crate built from its package, and
# semantic versioning.
#
# Where a tool is missing, its part is skipped, and one line says how to install the tool. CARGO names another cargo.
set -eu
cargo=${CARGO:-cargo}
failed=0

has() { command -v "$1" >/dev/null; }
missing() { echo "skipped: $1 ($2 is not installed; run: cargo install $2 --locked)"; }
part() {
    name=$1
    shift
    if "$@"; then echo "release-check: $name: in order"; else echo "error: $name: the messages above say why" >&2; failed=1; fi
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
