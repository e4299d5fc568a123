#!/usr/bin/env bash
# Tests of the installed package (tests/package/CMakeLists.txt).
#   package_test.sh exports LIBTAWA HEADER...                         symbols and dependencies of the shared library
#   package_test.sh consumer BUILD SOURCE KERNEL CC CMAKE GENERATOR   install, build a C program in two ways, run it;
#                                                                     licences, documents and kernels are there
#   package_test.sh pack SCRIPT PROGRAM                               pack.sh on a build folder that holds no tests
set -euo pipefail

fail() {
  printf 'FAILED: %s\n' "$*" >&2
  exit 1
}

# Exported: exactly the functions that the headers declare. Type A entries are names of symbol versions.
check_exports() {
  local library=$1 exported declared needed
  shift
  exported=$(nm -D --defined-only "$library" | awk '$2 != "A" {sub(/@.*/, "", $3); print $3}' | sort)
  [[ -n $exported ]] || fail "$library exports nothing"
  declared=$(cat "$@" | tr '\n' ' ' | grep -oE 'TAWA_API [^;]*' | grep -oE 'tawa_[a-z0-9_]+ *\(' | tr -d ' (' | sort -u)
  [[ -n $declared ]] || fail "no TAWA_API function found in $*"
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
  "$work/moved/bin/tawa" demo --device emulator --size 128,128,64 | grep PASSED || fail "tawa demo finds no kernel"
  check_documents "$work/moved/share" "$library"
}

# Licence and notices of what is linked in, the documents, and kernels to begin with.
check_documents() {
  local share=$1 library=$2 file
  for file in tawa.h plan.h tawa.hpp dlpack.h function.hpp tvm_ffi.hpp; do
    [[ -s ${share%/share}/include/tawa/$file ]] || fail "include/tawa/$file is not installed"
  done
  for file in LICENSE NOTICE README.md kernel-text.md manifest.md examples/gemm.c; do
    [[ -s $share/doc/tawa/$file ]] || fail "share/doc/tawa/$file is not installed"
  done
  [[ -s $share/tawa/kernels/softmax_rows.mlir ]] || fail "share/tawa/kernels holds no kernels"
  # A component is there if its symbols are.
  local symbol name symbols
  symbols=$(nm "$library")
  while read -r symbol name; do
    if grep -q " [tTrR] .*$symbol" <<<"$symbols"; then
      grep -q "^$name" "$share/doc/tawa/NOTICE" || fail "NOTICE says nothing of $name, whose $symbol is in $library"
    fi
  done <<<"sqlite3_prepare SQLite
XXH3_ xxHash
LLVMContext LLVM
MLIRContext LLVM and MLIR
inflateInit zlib
ZSTD_decompress Zstandard"
  for name in "LLVM and MLIR" SQLite xxHash; do
    grep -q "^$name" "$share/doc/tawa/NOTICE" || fail "NOTICE says nothing of $name"
  done
}

# With one small program in the places of library and program: what is packed, and what it says of the rest.
check_pack() {
  local script=$1 program=$2 work
  work=$(mktemp -d)
  # shellcheck disable=SC2064  # the folder is known now
  trap "rm -rf -- '$work'" EXIT
  mkdir -p "$work/build/capi" "$work/build/bindings/cli"
  cp "$program" "$work/build/capi/libtawa.so"
  cp "$program" "$work/build/bindings/cli/tawa"
  bash "$script" "$work/build" "$work/packed" >"$work/log" 2>&1 || fail "pack.sh without test programs: $(cat "$work/log")"
  grep -q "not packed.*tawa_conformance" "$work/log" || fail "pack.sh does not say what is missing: $(cat "$work/log")"
  grep -q '^bin/tawa$' <<<"$(tar -tJf "$work/packed/tawa-gpu.tar.xz")" || fail "the program is not packed"
  if bash "$script" "$work/build" "$work/packed" "$work/build/nothing" >"$work/log" 2>&1; then
    fail "pack.sh passes over a program that it was told to pack"
  fi
  rm "$work/build/bindings/cli/tawa"
  if bash "$script" "$work/build" "$work/packed" >"$work/log" 2>&1; then
    fail "pack.sh passes over the missing program tawa"
  fi
  grep -q "tawa-cli" "$work/log" || fail "pack.sh does not say how to build tawa: $(cat "$work/log")"
}

case ${1-} in
  exports) check_exports "${@:2}" ;;
  consumer) check_consumer "$2" "$3" "$4" "$5" "$6" "$7" ;;
  pack) check_pack "$2" "$3" ;;
  *) fail "unknown test '${1-}'" ;;
esac
