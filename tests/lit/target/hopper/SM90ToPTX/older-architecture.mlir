// Instructions that have another form where the architecture is older: waits ask again and again, sums and products of bf16 that must
// not be fused with others are fma.
// RUN: tawa-opt %s --tawa-sm90-to-ptx | FileCheck %s
// RUN: sed 's/"sm_80"/"sm_90a"/' %s | tawa-opt --tawa-sm90-to-ptx | FileCheck %s --check-prefix=HOPPER
#ampere = #tawa.target<"sm_80", shared_per_block = 101376, registers_per_multiprocessor = 65536, registers_per_thread = 255, threads_per_multiprocessor = 1536, ctas_per_multiprocessor = 16, l2 = 6291456, tensor_16bit = 1024, bytes_under_way = 32768, busy_load_latency = 2500>
module attributes {tawa.target = #ampere} {
// CHECK-LABEL: llvm.func @older
func.func @older(%barrier: i32, %parity: i32, %x: bf16, %y: bf16, %h: f16, %out: !llvm.ptr<1>)
    attributes {sm90.kernel, sm90.threads = 32 : i32, sm90.shared_bytes = 0 : i32} {
  // CHECK: mbarrier.test_wait.parity.shared::cta.b64
  // HOPPER: mbarrier.try_wait.parity.shared::cta.b64
  sm90.mbarrier_wait_parity %barrier, %parity
  // CHECK: mov.b16 constant, 0x3f80;\0Afma.rn.bf16 $0, $1, constant, $2;
  // HOPPER: add.rn.bf16 $0, $1, $2;
  %sum = arith.addf %x, %y : bf16
  // CHECK: mov.b16 constant, 0xbf80;\0Afma.rn.bf16 $0, $2, constant, $1;
  // HOPPER: sub.rn.bf16 $0, $1, $2;
  %difference = arith.subf %sum, %y : bf16
  // CHECK: mov.b16 constant, 0x8000;\0Afma.rn.bf16 $0, $1, $2, constant;
  // HOPPER: mul.rn.bf16 $0, $1, $2;
  %product = arith.mulf %difference, %y : bf16
  // CHECK: add.rn.f16
  %halves = arith.addf %h, %h : f16
  sm90.store_global %out, %product : bf16
  sm90.store_global %out, %halves : f16
  return
}
}
