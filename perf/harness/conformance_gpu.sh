#!/usr/bin/env bash
# Runs every test program of an unpacked tawa-gpu.tar.xz on this machine's GPU, and the demo after it. Prints a
# line per program last; exits with 1 if one failed. Logs go to $OUT where it is set. Cases that would run on the
# emulator are left out; TAWA_TEST_SEED and TAWA_TEST_COUNT choose the random programs (2,000 of them by default).
#
# usage: conformance_gpu.sh FOLDER [GTEST ARGS]          e.g. --gtest_filter='*Gemm*'
set -uo pipefail

folder=$(realpath "${1:?usage: conformance_gpu.sh FOLDER [GTEST ARGS]}")
shift
logs=${OUT:-$folder}
export LD_LIBRARY_PATH=$folder/lib
export TAWA_DEVICE=cuda:0
export TAWA_TEST_COUNT=${TAWA_TEST_COUNT:-2000}
[[ $# -gt 0 ]] || set -- '--gtest_filter=-*emulator*:Generator*'
cd "$folder" || exit 1
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader || {
  echo "no NVIDIA driver here" >&2
  exit 1
}
built=$(cat tests/SOURCE_ROOT)
if [[ ! -e $built/tests/kernels ]]; then
  mkdir -p "$built/tests" && ln -s "$folder/tests/kernels" "$built/tests/kernels"
fi
failed=0
summary=()

# Runs one program; its whole output goes to a log, its end is printed.
run() {
  local name=$1 begin=$SECONDS status
  shift
  "$@" >"$logs/$name.log" 2>&1
  status=$?
  ((status == 0)) || failed=1
  tail -n 15 "$logs/$name.log"
  summary+=("$(printf '%-28s exit %d, %d s, %s passed, %s skipped, %s failed' "$name" "$status" $((SECONDS - begin)) \
    "$(grep -c '^\[       OK \]' "$logs/$name.log")" "$(grep -c '^\[  SKIPPED \] .*ms)' "$logs/$name.log")" \
    "$(grep -c '^\[  FAILED  \] .*ms)' "$logs/$name.log")")")
}

for program in bin/*; do
  [[ $program != bin/tawa ]] || continue
  run "$(basename "$program")" "$program" "$@"
done
run doctor bin/tawa doctor
run demo bin/tawa demo tests/kernels/gemm_param.mlir --device cuda:0 --config "BLOCK_M=128 BLOCK_N=256"
printf '%s\n' "${summary[@]}"
exit $failed
