// Products of one A with adjacent columns of B are one instruction, and one group; others stay apart.
// RUN: tawa-opt %s --tawa-sm90-to-ptx | FileCheck %s
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-sm90-to-ptx -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-sm90-to-ptx{{$}}
// COUNTS: {{^ *}}7 num-joined:
// COUNTS: {{^ *}}13 num-kept:

// B's second part is 64 columns, that is 8 * 1024 bytes, after the first.
// CHECK-LABEL: llvm.func @neighbours
// CHECK: wgmma.fence.sync.aligned
// CHECK-COUNT-1: wgmma.mma_async.sync.aligned.m64n128k16
// CHECK-NOT: wgmma.mma_async
// CHECK-NOT: wgmma.fence
// CHECK-COUNT-1: wgmma.commit_group.sync.aligned
// CHECK-NOT: wgmma.commit_group
// CHECK: wgmma.wait_group.sync.aligned 1;
// CHECK: wgmma.wait_group.sync.aligned 0;
func.func @neighbours(%slot: i32, %a: i64) attributes {sm90.kernel, sm90.threads = 128 : i32, sm90.shared_bytes = 32768 : i32} {
  %yes = arith.constant true
  %behind = arith.constant 8192 : i32
  %mask = arith.constant 262143 : i32
  %units = arith.constant 4 : i32
  %fields = arith.constant 4611686293305294848 : i64
  %c = sm90.acc_undef : !sm90.inflight<64x64xf32>
  %d = sm90.acc_undef : !sm90.inflight<64x64xf32>
  %m0 = arith.andi %slot, %mask : i32
  %u0 = arith.shrui %m0, %units : i32
  %w0 = arith.extui %u0 : i32 to i64
  %b0 = arith.ori %w0, %fields : i64
  sm90.wgmma_fence
  %c1 = sm90.wgmma %c, %a, %b0, %yes {aType = f16, bType = f16} : !sm90.inflight<64x64xf32>
  sm90.wgmma_commit
  %other = arith.addi %slot, %behind : i32
  %m1 = arith.andi %other, %mask : i32
  %u1 = arith.shrui %m1, %units : i32
  %w1 = arith.extui %u1 : i32 to i64
  %b1 = arith.ori %w1, %fields : i64
  sm90.wgmma_fence
  %d1 = sm90.wgmma %d, %a, %b1, %yes {aType = f16, bType = f16} : !sm90.inflight<64x64xf32>
  sm90.wgmma_commit
  sm90.wgmma_wait 2 : () -> ()
  %e:2 = sm90.wgmma_wait 0 %c1, %d1 : (!sm90.inflight<64x64xf32>, !sm90.inflight<64x64xf32>) -> (!sm90.accumulator<64x64xf32>, !sm90.accumulator<64x64xf32>)
  return
}

// A wait that splits a pair keeps both groups.
// CHECK-LABEL: llvm.func @counted
// CHECK-COUNT-1: wgmma.mma_async.sync.aligned.m64n128k16
// CHECK-COUNT-2: wgmma.commit_group.sync.aligned
// CHECK: wgmma.wait_group.sync.aligned 3;
func.func @counted(%slot: i32, %a: i64) attributes {sm90.kernel, sm90.threads = 128 : i32, sm90.shared_bytes = 32768 : i32} {
  %yes = arith.constant true
  %behind = arith.constant 8192 : i32
  %mask = arith.constant 262143 : i32
  %units = arith.constant 4 : i32
  %fields = arith.constant 4611686293305294848 : i64
  %c = sm90.acc_undef : !sm90.inflight<64x64xf32>
  %d = sm90.acc_undef : !sm90.inflight<64x64xf32>
  %m0 = arith.andi %slot, %mask : i32
  %u0 = arith.shrui %m0, %units : i32
  %w0 = arith.extui %u0 : i32 to i64
  %b0 = arith.ori %w0, %fields : i64
  sm90.wgmma_fence
  %c1 = sm90.wgmma %c, %a, %b0, %yes {aType = f16, bType = f16} : !sm90.inflight<64x64xf32>
  sm90.wgmma_commit
  %other = arith.addi %slot, %behind : i32
  %m1 = arith.andi %other, %mask : i32
  %u1 = arith.shrui %m1, %units : i32
  %w1 = arith.extui %u1 : i32 to i64
  %b1 = arith.ori %w1, %fields : i64
  sm90.wgmma_fence
  %d1 = sm90.wgmma %d, %a, %b1, %yes {aType = f16, bType = f16} : !sm90.inflight<64x64xf32>
  sm90.wgmma_commit
  sm90.wgmma_wait 3 : () -> ()
  %e:2 = sm90.wgmma_wait 0 %c1, %d1 : (!sm90.inflight<64x64xf32>, !sm90.inflight<64x64xf32>) -> (!sm90.accumulator<64x64xf32>, !sm90.accumulator<64x64xf32>)
  return
}

// Eight columns too far.
// CHECK-LABEL: llvm.func @apart
// CHECK: wgmma.mma_async.sync.aligned.m64n64k16
// CHECK: wgmma.mma_async.sync.aligned.m64n64k16
func.func @apart(%slot: i32, %a: i64) attributes {sm90.kernel, sm90.threads = 128 : i32, sm90.shared_bytes = 32768 : i32} {
  %yes = arith.constant true
  %behind = arith.constant 9216 : i32
  %mask = arith.constant 262143 : i32
  %units = arith.constant 4 : i32
  %fields = arith.constant 4611686293305294848 : i64
  %c = sm90.acc_undef : !sm90.inflight<64x64xf32>
  %d = sm90.acc_undef : !sm90.inflight<64x64xf32>
  %m0 = arith.andi %slot, %mask : i32
  %u0 = arith.shrui %m0, %units : i32
  %w0 = arith.extui %u0 : i32 to i64
  %b0 = arith.ori %w0, %fields : i64
  %other = arith.addi %slot, %behind : i32
  %m1 = arith.andi %other, %mask : i32
  %u1 = arith.shrui %m1, %units : i32
  %w1 = arith.extui %u1 : i32 to i64
  %b1 = arith.ori %w1, %fields : i64
  sm90.wgmma_fence
  %c1 = sm90.wgmma %c, %a, %b0, %yes {aType = f16, bType = f16} : !sm90.inflight<64x64xf32>
  %d1 = sm90.wgmma %d, %a, %b1, %yes {aType = f16, bType = f16} : !sm90.inflight<64x64xf32>
  sm90.wgmma_commit
  %e:2 = sm90.wgmma_wait 0 %c1, %d1 : (!sm90.inflight<64x64xf32>, !sm90.inflight<64x64xf32>) -> (!sm90.accumulator<64x64xf32>, !sm90.accumulator<64x64xf32>)
  return
}

// Two blocks of rows take turns over the parts of B: an instruction for each, in one group.
// CHECK-LABEL: llvm.func @rows
// CHECK-COUNT-2: wgmma.mma_async.sync.aligned.m64n128k16
// CHECK-NOT: wgmma.mma_async
// CHECK-COUNT-1: wgmma.commit_group.sync.aligned
// CHECK-NOT: wgmma.commit_group
// CHECK: wgmma.wait_group.sync.aligned 0;
func.func @rows(%slot: i32, %a: i64, %below: i64) attributes {sm90.kernel, sm90.threads = 128 : i32, sm90.shared_bytes = 32768 : i32} {
  %yes = arith.constant true
  %behind = arith.constant 8192 : i32
  %mask = arith.constant 262143 : i32
  %units = arith.constant 4 : i32
  %fields = arith.constant 4611686293305294848 : i64
  %c = sm90.acc_undef : !sm90.inflight<64x64xf32>
  %d = sm90.acc_undef : !sm90.inflight<64x64xf32>
  %e = sm90.acc_undef : !sm90.inflight<64x64xf32>
  %f = sm90.acc_undef : !sm90.inflight<64x64xf32>
  %m0 = arith.andi %slot, %mask : i32
  %u0 = arith.shrui %m0, %units : i32
  %w0 = arith.extui %u0 : i32 to i64
  %b0 = arith.ori %w0, %fields : i64
  %other = arith.addi %slot, %behind : i32
  %m1 = arith.andi %other, %mask : i32
  %u1 = arith.shrui %m1, %units : i32
  %w1 = arith.extui %u1 : i32 to i64
  %b1 = arith.ori %w1, %fields : i64
  sm90.wgmma_fence
  %c1 = sm90.wgmma %c, %a, %b0, %yes {aType = f16, bType = f16} : !sm90.inflight<64x64xf32>
  %d1 = sm90.wgmma %d, %below, %b0, %yes {aType = f16, bType = f16} : !sm90.inflight<64x64xf32>
  sm90.wgmma_commit
  sm90.wgmma_fence
  %e1 = sm90.wgmma %e, %a, %b1, %yes {aType = f16, bType = f16} : !sm90.inflight<64x64xf32>
  %f1 = sm90.wgmma %f, %below, %b1, %yes {aType = f16, bType = f16} : !sm90.inflight<64x64xf32>
  sm90.wgmma_commit
  %g:4 = sm90.wgmma_wait 0 %c1, %d1, %e1, %f1 : (!sm90.inflight<64x64xf32>, !sm90.inflight<64x64xf32>, !sm90.inflight<64x64xf32>, !sm90.inflight<64x64xf32>) -> (!sm90.accumulator<64x64xf32>, !sm90.accumulator<64x64xf32>, !sm90.accumulator<64x64xf32>, !sm90.accumulator<64x64xf32>)
  return
}

// The same in four groups, of which the sets are unlike: one with work, and one with work and the two without.
// CHECK-LABEL: llvm.func @rowsApart
// CHECK-COUNT-2: wgmma.mma_async.sync.aligned.m64n128k16
// CHECK-NOT: wgmma.mma_async
// CHECK-COUNT-1: wgmma.commit_group.sync.aligned
// CHECK-NOT: wgmma.commit_group
// CHECK: wgmma.wait_group.sync.aligned 1;
// CHECK: wgmma.wait_group.sync.aligned 0;
func.func @rowsApart(%slot: i32, %a: i64, %below: i64) attributes {sm90.kernel, sm90.threads = 128 : i32, sm90.shared_bytes = 32768 : i32} {
  %yes = arith.constant true
  %behind = arith.constant 8192 : i32
  %mask = arith.constant 262143 : i32
  %units = arith.constant 4 : i32
  %fields = arith.constant 4611686293305294848 : i64
  %c = sm90.acc_undef : !sm90.inflight<64x64xf32>
  %d = sm90.acc_undef : !sm90.inflight<64x64xf32>
  %e = sm90.acc_undef : !sm90.inflight<64x64xf32>
  %f = sm90.acc_undef : !sm90.inflight<64x64xf32>
  %m0 = arith.andi %slot, %mask : i32
  %u0 = arith.shrui %m0, %units : i32
  %w0 = arith.extui %u0 : i32 to i64
  %b0 = arith.ori %w0, %fields : i64
  %other = arith.addi %slot, %behind : i32
  %m1 = arith.andi %other, %mask : i32
  %u1 = arith.shrui %m1, %units : i32
  %w1 = arith.extui %u1 : i32 to i64
  %b1 = arith.ori %w1, %fields : i64
  sm90.wgmma_fence
  %c1 = sm90.wgmma %c, %a, %b0, %yes {aType = f16, bType = f16} : !sm90.inflight<64x64xf32>
  sm90.wgmma_commit
  sm90.wgmma_fence
  %d1 = sm90.wgmma %d, %below, %b0, %yes {aType = f16, bType = f16} : !sm90.inflight<64x64xf32>
  sm90.wgmma_commit
  sm90.wgmma_fence
  %e1 = sm90.wgmma %e, %a, %b1, %yes {aType = f16, bType = f16} : !sm90.inflight<64x64xf32>
  sm90.wgmma_commit
  sm90.wgmma_fence
  %f1 = sm90.wgmma %f, %below, %b1, %yes {aType = f16, bType = f16} : !sm90.inflight<64x64xf32>
  sm90.wgmma_commit
  sm90.wgmma_wait 4 : () -> ()
  %g:4 = sm90.wgmma_wait 0 %c1, %d1, %e1, %f1 : (!sm90.inflight<64x64xf32>, !sm90.inflight<64x64xf32>, !sm90.inflight<64x64xf32>, !sm90.inflight<64x64xf32>) -> (!sm90.accumulator<64x64xf32>, !sm90.accumulator<64x64xf32>, !sm90.accumulator<64x64xf32>, !sm90.accumulator<64x64xf32>)
  return
}

// 64 + 26 registers are more than the threads begin with: ptxas refuses such an instruction (C7602).
// CHECK-LABEL: llvm.func @few_registers
// CHECK-COUNT-4: wgmma.mma_async.sync.aligned.m64n64k16
// CHECK-NOT: wgmma.mma_async
func.func @few_registers(%slot: i32, %a: i64, %below: i64) attributes {sm90.kernel, sm90.threads = 512 : i32, sm90.entry_registers = 80 : i32, sm90.shared_bytes = 32768 : i32} {
  %yes = arith.constant true
  %behind = arith.constant 8192 : i32
  %mask = arith.constant 262143 : i32
  %units = arith.constant 4 : i32
  %fields = arith.constant 4611686293305294848 : i64
  %c = sm90.acc_undef : !sm90.inflight<64x64xf32>
  %d = sm90.acc_undef : !sm90.inflight<64x64xf32>
  %e = sm90.acc_undef : !sm90.inflight<64x64xf32>
  %f = sm90.acc_undef : !sm90.inflight<64x64xf32>
  %m0 = arith.andi %slot, %mask : i32
  %u0 = arith.shrui %m0, %units : i32
  %w0 = arith.extui %u0 : i32 to i64
  %b0 = arith.ori %w0, %fields : i64
  %other = arith.addi %slot, %behind : i32
  %m1 = arith.andi %other, %mask : i32
  %u1 = arith.shrui %m1, %units : i32
  %w1 = arith.extui %u1 : i32 to i64
  %b1 = arith.ori %w1, %fields : i64
  sm90.wgmma_fence
  %c1 = sm90.wgmma %c, %a, %b0, %yes {aType = f16, bType = f16} : !sm90.inflight<64x64xf32>
  %d1 = sm90.wgmma %d, %below, %b0, %yes {aType = f16, bType = f16} : !sm90.inflight<64x64xf32>
  sm90.wgmma_commit
  sm90.wgmma_fence
  %e1 = sm90.wgmma %e, %a, %b1, %yes {aType = f16, bType = f16} : !sm90.inflight<64x64xf32>
  %f1 = sm90.wgmma %f, %below, %b1, %yes {aType = f16, bType = f16} : !sm90.inflight<64x64xf32>
  sm90.wgmma_commit
  %g:4 = sm90.wgmma_wait 0 %c1, %d1, %e1, %f1 : (!sm90.inflight<64x64xf32>, !sm90.inflight<64x64xf32>, !sm90.inflight<64x64xf32>, !sm90.inflight<64x64xf32>) -> (!sm90.accumulator<64x64xf32>, !sm90.accumulator<64x64xf32>, !sm90.accumulator<64x64xf32>, !sm90.accumulator<64x64xf32>)
  return
}

// Two consumer groups share products of 16 columns: each has every other eight of them, 2048 bytes apart. Of eight columns
// no stride is read, so that the first descriptor takes this distance: 128 units of 16 bytes, in bits 32 and up.
// CHECK-LABEL: llvm.func @everyOtherGroup
// CHECK: llvm.mlir.constant(4611686568183201792 : i64)
// CHECK-COUNT-1: wgmma.mma_async.sync.aligned.m64n16k16
// CHECK-NOT: wgmma.mma_async
func.func @everyOtherGroup(%slot: i32, %a: i64) attributes {sm90.kernel, sm90.threads = 128 : i32, sm90.shared_bytes = 32768 : i32} {
  %yes = arith.constant true
  %behind = arith.constant 2048 : i32
  %mask = arith.constant 262143 : i32
  %units = arith.constant 4 : i32
  %fields = arith.constant 4611686018427387904 : i64
  %c = sm90.acc_undef : !sm90.inflight<64x8xf32>
  %d = sm90.acc_undef : !sm90.inflight<64x8xf32>
  %m0 = arith.andi %slot, %mask : i32
  %u0 = arith.shrui %m0, %units : i32
  %w0 = arith.extui %u0 : i32 to i64
  %b0 = arith.ori %w0, %fields : i64
  sm90.wgmma_fence
  %c1 = sm90.wgmma %c, %a, %b0, %yes {aType = f16, bType = f16} : !sm90.inflight<64x8xf32>
  sm90.wgmma_commit
  %other = arith.addi %slot, %behind : i32
  %m1 = arith.andi %other, %mask : i32
  %u1 = arith.shrui %m1, %units : i32
  %w1 = arith.extui %u1 : i32 to i64
  %b1 = arith.ori %w1, %fields : i64
  sm90.wgmma_fence
  %d1 = sm90.wgmma %d, %a, %b1, %yes {aType = f16, bType = f16} : !sm90.inflight<64x8xf32>
  sm90.wgmma_commit
  %e:2 = sm90.wgmma_wait 0 %c1, %d1 : (!sm90.inflight<64x8xf32>, !sm90.inflight<64x8xf32>) -> (!sm90.accumulator<64x8xf32>, !sm90.accumulator<64x8xf32>)
  return
}

// More groups than the instruction names, where they are no sets: fewer are left in flight.
// CHECK-LABEL: llvm.func @many
// CHECK: wgmma.wait_group.sync.aligned 7;
func.func @many() attributes {sm90.kernel, sm90.threads = 128 : i32, sm90.shared_bytes = 32768 : i32} {
  sm90.wgmma_wait 9 : () -> ()
  return
}
