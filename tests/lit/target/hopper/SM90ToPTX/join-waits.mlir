// Waits for the same groups are one, as long as nothing but computation is between them.
// RUN: tawa-opt %s --tawa-sm90-to-ptx | FileCheck %s
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-sm90-to-ptx -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-sm90-to-ptx{{$}}
// COUNTS: {{^ *}}2 num-joined-waits:

// Three products in registers apart; what the first wait hands on is used before the second one.
// CHECK-LABEL: llvm.func @parts
// CHECK-COUNT-3: wgmma.mma_async.sync.aligned.m64n8k16
// CHECK: llvm.inline_asm {{.*}}wgmma.wait_group.sync.aligned 0;{{.*}}"=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11
// CHECK-NOT: wgmma.wait_group
func.func @parts(%a: i64, %b: i64, %p: !llvm.ptr<1>) attributes {sm90.kernel, sm90.threads = 128 : i32, sm90.shared_bytes = 32768 : i32} {
  %yes = arith.constant true
  %c = sm90.acc_undef : !sm90.inflight<64x8xf32>
  %d = sm90.acc_undef : !sm90.inflight<64x8xf32>
  %e = sm90.acc_undef : !sm90.inflight<64x8xf32>
  sm90.wgmma_fence
  %c1 = sm90.wgmma %c, %a, %b, %yes {aType = f16, bType = f16} : !sm90.inflight<64x8xf32>
  %d1 = sm90.wgmma %d, %b, %a, %yes {aType = f16, bType = f16} : !sm90.inflight<64x8xf32>
  %e1 = sm90.wgmma %e, %b, %b, %yes {aType = f16, bType = f16} : !sm90.inflight<64x8xf32>
  sm90.wgmma_commit
  %c2 = sm90.wgmma_wait 0 %c1 : (!sm90.inflight<64x8xf32>) -> !sm90.accumulator<64x8xf32>
  %x:4 = sm90.unpack %c2 : <64x8xf32>
  %sum = arith.addf %x#0, %x#1 : f32
  %d2 = sm90.wgmma_wait 0 %d1 : (!sm90.inflight<64x8xf32>) -> !sm90.accumulator<64x8xf32>
  %e2 = sm90.wgmma_wait 0 %e1 : (!sm90.inflight<64x8xf32>) -> !sm90.accumulator<64x8xf32>
  %y:4 = sm90.unpack %d2 : <64x8xf32>
  %all = arith.addf %sum, %y#0 : f32
  llvm.store %all, %p : f32, !llvm.ptr<1>
  return
}

// A wait that leaves other groups pending, one after a store, and one that hands on what no product has written.
// CHECK-LABEL: llvm.func @apart
// CHECK: wgmma.wait_group.sync.aligned 1;
// CHECK: wgmma.wait_group.sync.aligned 0;
// CHECK: llvm.store
// CHECK: wgmma.wait_group.sync.aligned 0;
// CHECK: // resume
func.func @apart(%a: i64, %b: i64, %p: !llvm.ptr<1>, %f: f32) attributes {sm90.kernel, sm90.threads = 128 : i32, sm90.shared_bytes = 32768 : i32} {
  %yes = arith.constant true
  %c = sm90.acc_undef : !sm90.inflight<64x8xf32>
  %d = sm90.acc_undef : !sm90.inflight<64x8xf32>
  sm90.wgmma_fence
  %c1 = sm90.wgmma %c, %a, %b, %yes {aType = f16, bType = f16} : !sm90.inflight<64x8xf32>
  sm90.wgmma_commit
  sm90.wgmma_fence
  %d1 = sm90.wgmma %d, %b, %a, %yes {aType = f16, bType = f16} : !sm90.inflight<64x8xf32>
  sm90.wgmma_commit
  %c2 = sm90.wgmma_wait 1 %c1 : (!sm90.inflight<64x8xf32>) -> !sm90.accumulator<64x8xf32>
  %x:4 = sm90.unpack %c2 : <64x8xf32>
  %d2 = sm90.wgmma_wait 0 %d1 : (!sm90.inflight<64x8xf32>) -> !sm90.inflight<64x8xf32>
  llvm.store %x#0, %p : f32, !llvm.ptr<1>
  %d3 = sm90.wgmma_wait 0 %d2 : (!sm90.inflight<64x8xf32>) -> !sm90.accumulator<64x8xf32>
  %fresh = sm90.pack %f, %f, %f, %f : <64x8xf32>
  %held = sm90.resume %fresh : <64x8xf32> -> <64x8xf32>
  %z = sm90.wgmma_wait 0 %held : (!sm90.inflight<64x8xf32>) -> !sm90.accumulator<64x8xf32>
  %y:4 = sm90.unpack %d3 : <64x8xf32>
  %w:4 = sm90.unpack %z : <64x8xf32>
  %all = arith.addf %y#0, %w#0 : f32
  llvm.store %all, %p : f32, !llvm.ptr<1>
  return
}
