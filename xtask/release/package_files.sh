#!/bin/sh
# Writes the manual pages and completions of a package. The command itself makes them.
#
# package_files.sh PROGRAM FOLDER
set -eu
program=$1 folder=$2
rm -rf "$folder"
mkdir -p "$folder/completions"
"$program" man --out "$folder/man" >/dev/null
"$program" completions bash >"$folder/completions/forebay.bash"
"$program" completions zsh >"$folder/completions/_forebay"
"$program" completions fish >"$folder/completions/forebay.fish"
