#!/usr/bin/env bash
# Tests of the installed package (tests/package/CMakeLists.txt).
#   package_test.sh exports LIBTAWA HEADER                            symbols and dependencies of the shared library
#   package_test.sh consumer BUILD SOURCE KERNEL CC CMAKE GENERATOR   install, build a C program in two ways, run it
set -euo pipefail

fail() {
  printf 'FAILED: %s\n' "$*" >&2
  exit 1
}

# Exported: exactly the functions that the header declares. Type A entries are names of symbol versions.
check_exports() {
  local library=$1 header=$2 exported declared needed
  exported=$(nm -D --defined-only "$library" | awk '$2 != "A" {sub(/@.*/, "", $3); print $3}' | sort)
  [[ -n $exported ]] || fail "$library exports nothing"
  declared=$(tr '\n' ' ' <"$header" | grep -oE 'TAWA_API [^;]*' | grep -oE 'tawa_[a-z0-9_]+ *\(' | tr -d ' (' | sort -u)
  [[ -n $declared ]] || fail "no TAWA_API function found in $header"
  local difference
  if ! difference=$(diff <(printf '%s\n' "$declared") <(printf '%s\n' "$exported")); then
    fail "declared (<) and exported (>) differ:"$'\n'"$difference"
  fi
  needed=$(readelf -d "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
  if grep -Ei 'llvm|mlir|clang|libcuda|libcudart' <<<"$needed"; then
    fail "$library must not depend on the libraries above"
  fi
  # LLVM is inside and must stay hidden: a process that also loads libLLVM must not mix the two.
  if ldd "$library" | grep -Ei 'llvm|mlir|not found'; then
    fail "$library loads the libraries above"
  fi
  if readelf -d "$library" | grep -E 'RPATH|RUNPATH|TEXTREL'; then
    fail "$library has a run path or text relocations"
  fi
  printf '%s functions exported, needed: %s\n' "$(wc -l <<<"$exported")" "$(tr '\n' ' ' <<<"$needed")"
}

check_consumer() {
  local build=$1 source=$2 kernel=$3 cc=$4 cmake=$5 generator=$6 work
  work=$(mktemp -d)
  # shellcheck disable=SC2064  # the folder is known now
  trap "rm -rf -- '$work'" EXIT
  "$cmake" --install "$build" --prefix "$work/prefix" >"$work/install.log" || fail "install: $(cat "$work/install.log")"
  local library config pc
  library=$(find "$work/prefix" -name libtawa.so -print -quit)
  config=$(find "$work/prefix" -name TawaConfig.cmake -print -quit)
  pc=$(find "$work/prefix" -name tawa.pc -print -quit)
  [[ -n $library && -n $config && -n $pc ]] || fail "installed: library '$library', config '$config', pkg-config '$pc'"
  # Moved after installing: nothing in it may point to the prefix it was installed to.
  mv "$work/prefix" "$work/moved"
  library=${library/prefix/moved} pc=${pc/prefix/moved}

  "$cmake" -G "$generator" -S "$source" -B "$work/by-cmake" -DCMAKE_C_COMPILER="$cc" -DCMAKE_PREFIX_PATH="$work/moved" \
    >"$work/configure.log" 2>&1 || fail "find_package(Tawa): $(cat "$work/configure.log")"
  "$cmake" --build "$work/by-cmake" >"$work/build.log" 2>&1 || fail "consumer: $(cat "$work/build.log")"
  echo "== built through find_package"
  TAWA_DEVICE=emulator "$work/by-cmake/gemm" "$kernel"

  local flags
  read -ra flags <<<"$(PKG_CONFIG_PATH=$(dirname "$pc") pkg-config --define-prefix --cflags --libs tawa)"
  "$cc" -std=c11 -Wall -Wextra -Werror "$source/gemm.c" "${flags[@]}" -Wl,-rpath,"$(dirname "$library")" -lm \
    -o "$work/by-pkg-config" || fail "could not compile with pkg-config's ${flags[*]}"
  echo "== built through pkg-config"
  TAWA_DEVICE=emulator "$work/by-pkg-config" "$kernel"

  echo "== installed command line"
  "$work/moved/bin/tawa" --version
}

case ${1-} in
  exports) check_exports "$2" "$3" ;;
  consumer) check_consumer "$2" "$3" "$4" "$5" "$6" "$7" ;;
  *) fail "unknown test '${1-}'" ;;
esac
