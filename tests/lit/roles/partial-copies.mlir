// Columns may end within a copy of 16 bytes: the copy reads what is before the end, and the mask keeps the other conditions. With TMA
// nothing of it.
// RUN: tawa-opt %s --tawa-pipeline-loads="ring-depth=2 mma-depth=1" | FileCheck %s
// RUN: sed 's/"sm_80"/"sm_90a"/' %s | tawa-opt --tawa-pipeline-loads="ring-depth=2 mma-depth=1" | FileCheck %s --check-prefix=HOPPER
// CHECK-LABEL: @rows
// CHECK: %[[REST:.*]] = arith.subi %[[END:.*]], %[[AT:.*]] : tensor<1x64xi32>
// CHECK: %[[MOST:.*]] = arith.minui %[[REST]], %{{.*}} : tensor<1x64xi32>
// CHECK: %[[COUNT:.*]] = arith.select %{{.*}}, %[[MOST]], %{{.*}} : tensor<1x64xi1>, tensor<1x64xi32>
// CHECK: %[[ALL:.*]] = tt.broadcast %[[COUNT]] : tensor<1x64xi32> -> tensor<64x64xi32>
// CHECK: tawa.copy_tile %{{.*}}, %[[MASK:.*]] count %[[ALL]] along 1 by 8
// CHECK: scf.for
// CHECK: tawa.copy_tile {{.*}} count
// HOPPER-LABEL: @rows
// HOPPER-NOT: tawa.copy_tile
#ampere = #tawa.target<"sm_80", shared_per_block = 101376, registers_per_multiprocessor = 65536, registers_per_thread = 255, threads_per_multiprocessor = 1536, ctas_per_multiprocessor = 16, l2 = 6291456, tensor_16bit = 1024, bytes_under_way = 32768, busy_load_latency = 2500>
module attributes {tawa.target = #ampere, tawa.declined = "reason"} {
  tt.func public @rows(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %o: !tt.ptr<f32>, %n: i32, %rows: i32, %columns: i32) {
    tawa.warp_group main warps(4) registers(0) {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %zero = arith.constant dense<0.0> : tensor<64x64xf32>
      %range = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
      %r = tt.expand_dims %range {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %c = tt.expand_dims %range {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %ld = arith.constant dense<1024> : tensor<64x1xi32>
      %ro = arith.muli %r, %ld : tensor<64x1xi32>
      %rb = tt.broadcast %ro : tensor<64x1xi32> -> tensor<64x64xi32>
      %cb = tt.broadcast %c : tensor<1x64xi32> -> tensor<64x64xi32>
      %offsets = arith.addi %rb, %cb : tensor<64x64xi32>
      %base = tt.splat %p : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
      %start = tt.addptr %base, %offsets : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
      %step = arith.constant dense<64> : tensor<64x64xi32>
      %rl = tt.splat %rows : i32 -> tensor<64x1xi32>
      %ri = arith.cmpi slt, %r, %rl : tensor<64x1xi32>
      %rm = tt.broadcast %ri : tensor<64x1xi1> -> tensor<64x64xi1>
      %sum:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %q = %start) -> (tensor<64x64xf32>, tensor<64x64x!tt.ptr<f16>>) : i32 {
        %c64 = arith.constant 64 : i32
        %done = arith.muli %i, %c64 : i32
        %left = arith.subi %columns, %done : i32
        %end = tt.splat %left : i32 -> tensor<1x64xi32>
        %ci = arith.cmpi slt, %c, %end : tensor<1x64xi32>
        %cm = tt.broadcast %ci : tensor<1x64xi1> -> tensor<64x64xi1>
        %mask = arith.andi %rm, %cm : tensor<64x64xi1>
        %x = tt.load %q, %mask : tensor<64x64x!tt.ptr<f16>>
        %t = tt.trans %x {order = array<i32: 1, 0>} : tensor<64x64xf16> -> tensor<64x64xf16>
        %next = tt.dot %x, %t, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
        %further = tt.addptr %q, %step : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
        scf.yield %next, %further : tensor<64x64xf32>, tensor<64x64x!tt.ptr<f16>>
      }
      %out = tt.splat %o : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
      %at = tt.addptr %out, %offsets : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
      tt.store %at, %sum#0 : tensor<64x64x!tt.ptr<f32>>
    }
    tt.return
  }
}
