// A GPU without TMA and clusters: a kernel is one role, its loads stay loads, and its sum is not shared by CTAs.
// RUN: tawa-opt %s --tawa-raise-loads --tawa-split-reduction="split=2" --tawa-partition-roles 2>&1 | FileCheck %s
// RUN: sed 's/"sm_80"/"sm_90a"/' %s | tawa-opt --tawa-raise-loads --tawa-partition-roles 2>&1 | FileCheck %s --check-prefix=HOPPER
// CHECK: remark: split is not applied: the GPU has no clusters
// CHECK: module attributes {tawa.declined = "the GPU has no TMA, with which a producer role would load"
// CHECK: tt.load
// HOPPER-NOT: tawa.declined
// HOPPER: tt.descriptor_load
#ampere = #tawa.target<"sm_80", shared_per_block = 101376, registers_per_multiprocessor = 65536, registers_per_thread = 255, threads_per_multiprocessor = 1536, ctas_per_multiprocessor = 16, l2 = 6291456, tensor_16bit = 1024, bytes_under_way = 32768, busy_load_latency = 2500>
module attributes {tawa.target = #ampere} {
  tt.func public @product(%a: !tt.tensordesc<tensor<64x64xf16>>, %p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %o: !tt.ptr<f32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c64 = arith.constant 64 : i32
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %rows = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
    %r2 = tt.expand_dims %rows {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %ld = arith.constant dense<64> : tensor<64x1xi32>
    %ro = arith.muli %r2, %ld : tensor<64x1xi32>
    %c2 = tt.expand_dims %rows {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %rb = tt.broadcast %ro : tensor<64x1xi32> -> tensor<64x64xi32>
    %cb = tt.broadcast %c2 : tensor<1x64xi32> -> tensor<64x64xi32>
    %offsets = arith.addi %rb, %cb : tensor<64x64xi32>
    %base = tt.splat %p : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
    %pointers = tt.addptr %base, %offsets : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (tensor<64x64xf32>) : i32 {
      %k = arith.muli %i, %c64 : i32
      %x = tt.descriptor_load %a[%c0, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      %y = tt.load %pointers : tensor<64x64x!tt.ptr<f16>>
      %next = tt.dot %x, %y, %sum : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %next : tensor<64x64xf32>
    }
    %out = tt.splat %o : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
    %at = tt.addptr %out, %offsets : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
    tt.store %at, %r : tensor<64x64x!tt.ptr<f32>>
    tt.return
  }
}
