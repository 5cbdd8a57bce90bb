#!/bin/sh
# Installs skc @VERSION@ for this user: fetches the archive for this machine, compares its checksum, and unpacks it.
#
#   SKC_FROM=URL or FOLDER    where the archives are@FROM_NOTE@
#   SKC_PREFIX=FOLDER         where bin and share go (default: ~/.local)
set -eu

version="@VERSION@"
from="${SKC_FROM:-@FROM@}"
prefix="${SKC_PREFIX:-$HOME/.local}"

fail() { printf 'install.sh: %s\n' "$1" >&2; exit 1; }

[ -n "$from" ] || fail "set SKC_FROM to the address or folder of the archives"

# The static program runs on every Linux; the other needs a glibc that is new enough.
libc() {
    have="$(getconf GNU_LIBC_VERSION 2>/dev/null | cut -d' ' -f2)" || have=""
    case "$have" in
        2.*) [ "${have#2.}" -ge @GLIBC_MINOR@ ] && echo gnu || echo musl ;;
        *) echo musl ;;
    esac
}

machine() {
    case "$(uname -m)" in
        x86_64 | amd64) echo x86_64 ;;
        aarch64 | arm64) echo aarch64 ;;
        *) fail "there is no program for $(uname -m)" ;;
    esac
}

target() {
    arch="$(machine)"
    case "$(uname -s)" in
        Linux) echo "$arch-unknown-linux-$(libc)" ;;
        Darwin) echo "$arch-apple-darwin" ;;
        *) fail "there is no program for $(uname -s) here" ;;
    esac
}

fetch() { # name, file
    case "$from" in
        *://*)
            if command -v curl >/dev/null 2>&1; then
                curl -fsSL "$from/$1" -o "$2"
            elif command -v wget >/dev/null 2>&1; then
                wget -q "$from/$1" -O "$2"
            else
                fail "curl or wget is needed"
            fi ;;
        *) cp "$from/$1" "$2" ;;
    esac || fail "cannot fetch '$1' from '$from'"
}

checksum() {
    if command -v sha256sum >/dev/null 2>&1; then
        sha256sum "$1"
    elif command -v shasum >/dev/null 2>&1; then
        shasum -a 256 "$1"
    else
        fail "sha256sum or shasum is needed to compare the checksum"
    fi | cut -d' ' -f1
}

target="$(target)"
name="skc-$version-$target"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
fetch "$name.tar.gz" "$work/$name.tar.gz"
fetch "$name.tar.gz.sha256" "$work/expected"
expected="$(cut -d' ' -f1 <"$work/expected")"
actual="$(checksum "$work/$name.tar.gz")"
[ -n "$actual" ] && [ "$expected" = "$actual" ] \
    || fail "the checksum of '$name.tar.gz' is $actual, not $expected; nothing was installed"
tar -xzf "$work/$name.tar.gz" -C "$work"

share="$prefix/share"
mkdir -p "$prefix/bin" "$share/man/man1" "$share/bash-completion/completions" \
    "$share/zsh/site-functions" "$share/fish/vendor_completions.d"
cp "$work/$name/man/"*.1 "$share/man/man1/"
cp "$work/$name/completions/skc.bash" "$share/bash-completion/completions/skc"
cp "$work/$name/completions/_skc" "$share/zsh/site-functions/_skc"
cp "$work/$name/completions/skc.fish" "$share/fish/vendor_completions.d/skc.fish"
# Moved into place last: a running program keeps its file.
cp "$work/$name/skc" "$prefix/bin/.skc.new"
chmod 755 "$prefix/bin/.skc.new"
mv -f "$prefix/bin/.skc.new" "$prefix/bin/skc"

echo "installed $("$prefix/bin/skc" --version) as $prefix/bin/skc"
case ":$PATH:" in
    *":$prefix/bin:"*) ;;
    *) echo "add $prefix/bin to PATH to run it as skc" ;;
esac
