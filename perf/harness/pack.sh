#!/usr/bin/env bash
# Packs what a GPU machine needs into one folder: libtawa.so, the Python package, the `tawa` program and the tests that use a GPU (stripped), the
# shared libraries they need that such a machine may lack, the kernels and this harness. Everything is compressed into
# FOLDER/tawa-gpu.tar.xz; beside it lies unpack.sh, which needs nothing but Python there. Test programs that are not
# built are named and left out.
#
# usage: perf/harness/pack.sh BUILD_FOLDER FOLDER [PROGRAM...]      more programs of the build to carry
set -euo pipefail

[[ $# -ge 2 ]] || {
  sed -n 's/^# usage/usage/p' "$0" >&2
  exit 1
}
build=$(realpath "$1")
folder=$(realpath -m "$2")
shift 2
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
limit=$((64 << 20))
stage=$(mktemp -d)
trap 'rm -rf -- "$stage"' EXIT
mkdir -p "$stage/lib/extra" "$stage/bin" "$stage/tests" "$stage/perf" "$stage/python" "$folder"

library=$(find "$build" -name 'libtawa.so' -print -quit)
[[ -n $library ]] || {
  echo "no libtawa.so under $build: ./dev build first" >&2
  exit 1
}
# The soname is what programs look for; the plain name is what the harness loads.
soname=$(readelf -d "$library" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
strip --strip-unneeded -o "$stage/lib/${soname:-libtawa.so}" "$(realpath "$library")"
[[ ! $soname || $soname == libtawa.so ]] || ln -s "$soname" "$stage/lib/libtawa.so"

package=$build/bindings/python/tawa
if [[ -e $package/_launch.abi3.so ]]; then
  cp -r "$package" "$stage/python/"
  ln -sf "../../lib/${soname:-libtawa.so}" "$stage/python/tawa/libtawa.so.0"
else
  echo "not packed, since it is not built: the Python package (./dev build tawa-python-package); the harness needs it" >&2
fi

programs=("$build/bindings/cli/tawa" "$@")
for program in "${programs[@]}"; do
  [[ -x $program ]] || {
    echo "$program is not built: ./dev build ${program/#*\/bindings\/cli\/tawa/tawa-cli}" >&2
    exit 1
  }
done
for test in device/cuda-device-tests conformance/tawa_{conformance,kernels_test,attention_test,differential_test}; do
  program=$(find "$build/tests" -path "*/$test" -print -quit 2>/dev/null || true)
  if [[ -x $program ]]; then
    programs+=("$program")
  else
    echo "not packed, since it is not built: $(basename "$test") (./dev build $(basename "$test"))" >&2
  fi
done
for program in "${programs[@]}"; do
  strip --strip-unneeded -o "$stage/bin/$(basename "$program")" "$program"
done

# Libraries that the files above ask for and a GPU machine may lack. They go to lib/extra, and unpack.sh takes from there
# only what that machine does not have, so that no older copy shadows one that PyTorch needs.
for file in "$stage"/lib/*.so* "${programs[@]}"; do
  ldd "$file" 2>/dev/null
done | awk '$2 == "=>" && $3 ~ /^\// {print $3}' | sort -u | while IFS= read -r needed; do
  case $(basename "$needed") in
    libc.so.*|libm.so.*|libdl.so.*|librt.so.*|libpthread.so.*|libstdc++.so.*|libgcc_s.so.*|libtawa.so*) ;;
    *) cp -L "$needed" "$stage/lib/extra/" ;;
  esac
done

cp -r "$root/tests/kernels" "$stage/tests/kernels"
# Test programs look for the kernels where they were built; conformance_gpu.sh makes that path lead here.
printf '%s\n' "$root" >"$stage/tests/SOURCE_ROOT"
cp -r "$root/perf/harness" "$root/perf/problems" "$stage/perf/"
mkdir "$stage/tests/conformance"
cp "$root"/tests/conformance/*.py "$stage/tests/conformance/"
cp -r "$root/bindings/python/tests" "$stage/tests/python"
find "$stage" -name __pycache__ -prune -exec rm -rf {} +
{
  git -C "$root" rev-parse HEAD 2>/dev/null || echo unknown
  [[ -z $(git -C "$root" status --porcelain 2>/dev/null) ]] || echo "with uncommitted changes"
} | paste -sd' ' >"$stage/perf/COMMIT"

tar -C "$stage" -cJf "$folder/tawa-gpu.tar.xz" lib bin python tests perf
cat >"$folder/unpack.sh" <<'UNPACK'
#!/usr/bin/env bash
# Unpacks tawa-gpu.tar.xz, which lies beside this script, into the folder named and prints what to set.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
target=${1:?usage: unpack.sh FOLDER}
mkdir -p "$target"
python3 - "$here/tawa-gpu.tar.xz" "$target" <<'PYTHON'
import sys, tarfile
with tarfile.open(sys.argv[1], "r:xz") as archive:
    archive.extractall(sys.argv[2])
PYTHON
for library in "$target"/lib/extra/*; do
  [[ -f $library ]] || continue
  ldconfig -p | grep -qF "$(basename "$library") " || ln -sf "extra/$(basename "$library")" "$target/lib/"
done
echo "export LD_LIBRARY_PATH=$(realpath "$target")/lib PYTHONPATH=$(realpath "$target")/python"
UNPACK
chmod +x "$folder/unpack.sh"

size=$(stat -c %s "$folder/tawa-gpu.tar.xz")
printf '%s: %d MiB from %s\n' "$folder/tawa-gpu.tar.xz" $((size >> 20)) "$(du -sh "$stage" | cut -f1)" >&2
ls -l "$stage/lib" "$stage/bin" >&2
((size <= limit)) || {
  echo "larger than $((limit >> 20)) MiB" >&2
  exit 1
}
