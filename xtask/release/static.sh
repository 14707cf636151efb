#!/bin/sh
# Builds the command for x86-64 Linux as one static file, with musl: target/x86_64-unknown-linux-musl/release/forebay
#
# Needs musl-gcc (Debian's musl-tools). The standard library for musl comes with rustup:
#     rustup target add x86_64-unknown-linux-musl
# Without it, the script builds the standard library from source, with Debian's compiler that `cargo xtask check-portable` fetches into
# target/portable, and with LLVM's libunwind (Debian's libunwind-16-dev). PROFILE=dev builds faster.
set -eu
cargo=${CARGO:-cargo}
target=x86_64-unknown-linux-musl
profile=${PROFILE:-release}
cd "$(dirname "$0")/../.."

command -v musl-gcc >/dev/null || { echo "error: musl-gcc is missing; run: apt-get install musl-tools" >&2; exit 1; }
build="build --package forebay-cli --profile $profile --target $target --locked"

if [ -d "$(rustc --print sysroot)/lib/rustlib/$target" ]; then
    $cargo $build
else
    debian=$PWD/target/portable/root/usr
    unwind=/usr/lib/llvm-16/lib/libunwind.a
    [ -x "$debian/bin/rustc" ] || { echo "error: no standard library for $target; run: rustup target add $target, or: cargo xtask check-portable wasm32-unknown-unknown" >&2; exit 1; }
    [ -f "$unwind" ] || { echo "error: $unwind is missing; run: apt-get install libunwind-16-dev" >&2; exit 1; }
    # Debian built libunwind for glibc, which checks the formats of fprintf in a function of its own.
    libraries=$PWD/target/musl
    mkdir -p "$libraries"
    cp "$unwind" "$libraries/libunwind.a"
    musl-gcc -O2 -c xtask/release/fprintf_chk.c -o "$libraries/fprintf_chk.o"
    ar r "$libraries/libunwind.a" "$libraries/fprintf_chk.o"
    RUSTC=$debian/bin/rustc LD_LIBRARY_PATH=$debian/lib/x86_64-linux-gnu RUSTC_BOOTSTRAP=1 \
        CARGO_TARGET_X86_64_UNKNOWN_LINUX_MUSL_LINKER=musl-gcc \
        CARGO_TARGET_X86_64_UNKNOWN_LINUX_MUSL_RUSTFLAGS="-Clink-self-contained=no -Ctarget-feature=+crt-static -Crelocation-model=static -L $libraries" \
        $cargo -Z build-std=std,panic_unwind $build
fi

folder=$profile
[ "$profile" != dev ] || folder=debug
program=${CARGO_TARGET_DIR:-target}/$target/$folder/forebay
if readelf --program-headers "$program" | grep -q INTERP; then
    echo "error: $program is not static: it asks for a loader" >&2
    exit 1
fi
"$program" --version
ls -l "$program"
