#!/bin/sh
# Writes the manual pages and completions of a package, which the command itself makes, and copies the pages of the playground.
#
# package_files.sh PROGRAM PAGES FOLDER
set -eu
program=$1 pages=$2 folder=$3
rm -rf "$folder"
mkdir -p "$folder/completions"
"$program" man --out "$folder/man" >/dev/null
"$program" completions bash >"$folder/completions/forebay.bash"
"$program" completions zsh >"$folder/completions/_forebay"
"$program" completions fish >"$folder/completions/forebay.fish"

# `forebay play` serves the pages without compression.
mkdir -p "$folder/web"
if [ -f "$pages/forebay.wasm" ]; then
    for page in "$pages"/*; do
        case $page in *.br | *.gz) ;; *) cp "$page" "$folder/web/" ;; esac
    done
else
    echo "warning: the package is without the playground, since $pages has none; build it with: make web" >&2
    echo "The playground was not built when this package was made: see forebay-play(1)." >"$folder/web/README"
fi
