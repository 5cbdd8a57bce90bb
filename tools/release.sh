#!/usr/bin/env bash
# Builds `skc` as it is released: without a path of the machine that builds it, and looks whether one is in it all the same.
# Usage: tools/release.sh [PROFILE]; cargo's own way for this (trim-paths) is not in stable Rust yet.
set -euo pipefail
cd "$(dirname "$0")/.."
profile="${1:-dist}"

target="$(realpath -m "${CARGO_TARGET_DIR:-target}")"
cargo_home="$(realpath -m "${CARGO_HOME:-$HOME/.cargo}")"
rustup_home="$(realpath -m "${RUSTUP_HOME:-$HOME/.rustup}")"
# Of several that fit the last one counts, for rustc and C compilers alike: the longest paths stand last.
prefixes=("$HOME=/home" "$rustup_home=/rustup" "$cargo_home=/cargo" "$target=/target" "$PWD=/skillc")
for sources in "$cargo_home"/registry/src/*; do
    prefixes+=("$sources=/crates")
done

# Passed as configuration, which adds to the flags of .cargo/config.toml; a variable would replace them.
IFS=$'\037' read -ra rust_flags <<<"${CARGO_ENCODED_RUSTFLAGS:-$(tr -s ' ' '\037' <<<"${RUSTFLAGS:-}")}"
unset CARGO_ENCODED_RUSTFLAGS RUSTFLAGS
c_flags="${CFLAGS:-}"
for prefix in "${prefixes[@]}"; do
    rust_flags+=("--remap-path-prefix=$prefix")
    c_flags+=" '-ffile-prefix-map=$prefix'"
done
# Strings of TOML.
quoted=()
for flag in "${rust_flags[@]}"; do
    flag="${flag//\\/\\\\}"
    quoted+=("\"${flag//\"/\\\"}\"")
done
# It runs on machines with an older C library than this one.
export SKC_PORTABLE=1
export CFLAGS="$c_flags" CC_SHELL_ESCAPED_FLAGS=1

cargo build --quiet --locked --profile "$profile" -p skillc --bin skc \
    --config "target.'cfg(all())'.rustflags = [$(IFS=,; echo "${quoted[*]}")]"
program="$target/${CARGO_BUILD_TARGET:+$CARGO_BUILD_TARGET/}$profile/skc"
[ -e "$program" ] || program="$program.exe"
# Of the home a file or folder below it, since rules of lint speak of `/root/`.
escaped() { sed 's/[][\.*^$+?(){}|]/\\&/g' <<<"$1"; }
for path in "$HOME/" "$rustup_home" "$cargo_home" "$target" "$PWD"; do
    pattern="$(escaped "$path")"
    [ "$path" != "$HOME/" ] || pattern+='[[:alnum:]._-]'
    if found="$(grep -aoE -- "$pattern[[:print:]]{0,80}" "$program" | sort -u)"; then
        printf '%s holds paths of this machine:\n%s\n' "$program" "$(head -5 <<<"$found")" >&2
        exit 1
    fi
done
echo "$program holds no path of this machine"
