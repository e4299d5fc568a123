// An accumulator in flight is a handle; a wait that covers it copies its registers out and gives the handle back.
//
// RUN: tawa-opt %s --tawa-sm90-to-host --canonicalize | FileCheck %s

// CHECK-LABEL: llvm.func @kernel(
// CHECK-SAME: %[[THREAD:.*]]: !llvm.ptr, %
func.func @kernel(%desc: i64, %n: i32, %x: f32, %word: i32, %out: !llvm.ptr<1>)
    attributes {sm90.kernel, sm90.threads = 128 : i32, sm90.shared_bytes = 0 : i32} {
  // Types: f16 (7), f16 (7) << 8, f32 (9) << 16. Flags: transpose B, negate A.
  // CHECK-DAG: llvm.mlir.constant(591623 : i32)
  // CHECK-DAG: llvm.mlir.constant(6 : i32)
  // CHECK-DAG: llvm.alloca %{{.*}} x i32 {alignment = 16 : i64}
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %true = arith.constant true
  // CHECK: %[[HANDLE:.*]] = llvm.call @tawa_emu_acc_new(%[[THREAD]], %{{.*}}) : (!llvm.ptr, i32) -> !llvm.ptr
  %none = sm90.acc_undef : !sm90.inflight<64x8xf32>
  // CHECK: llvm.br ^[[HEAD:bb[0-9]+]](%{{.*}}, %[[HANDLE]] : i32, !llvm.ptr)
  // CHECK: ^[[HEAD]](%[[I:.*]]: i32, %[[ACC:.*]]: !llvm.ptr):
  %last = scf.for %i = %zero to %n step %one iter_args(%acc = %none) -> (!sm90.inflight<64x8xf32>) : i32 {
    %scale = arith.cmpi ne, %i, %zero : i32
    // CHECK: llvm.call @tawa_emu_wgmma_fence(%[[THREAD]])
    sm90.wgmma_fence
    // CHECK: %[[SCALE:.*]] = llvm.zext %{{.*}} : i1 to i32
    // CHECK: llvm.call @tawa_emu_wgmma(%[[THREAD]], %[[ACC]], %[[DESC:.*]], %[[DESC]], %[[SCALE]],
    %a = sm90.wgmma %acc, %desc, %desc, %scale {aType = f16, bType = f16, transB, negA} : !sm90.inflight<64x8xf32>
    // CHECK: llvm.call @tawa_emu_wgmma_rs(%[[THREAD]], %[[ACC]], %[[WORD:.*]], %[[WORD]], %[[WORD]], %[[WORD]], %[[DESC]],
    %b = sm90.wgmma_rs %a, (%word, %word, %word, %word), %desc, %true {aType = f16, bType = f16} : !sm90.inflight<64x8xf32>
    // CHECK: llvm.call @tawa_emu_wgmma_commit
    sm90.wgmma_commit
    // Still in flight: the same handle.
    // CHECK: llvm.call @tawa_emu_wgmma_wait
    %c = sm90.wgmma_wait 1 %b : (!sm90.inflight<64x8xf32>) -> !sm90.inflight<64x8xf32>
    // Every way back is counted.
    // CHECK: llvm.call @tawa_emu_back_edge(%[[THREAD]])
    // CHECK-NEXT: llvm.br ^[[HEAD]](%{{.*}}, %[[ACC]] : i32, !llvm.ptr)
    scf.yield %c : !sm90.inflight<64x8xf32>
  }
  // CHECK: llvm.call @tawa_emu_wgmma_wait
  // CHECK: llvm.call @tawa_emu_acc_read(%[[THREAD]], %[[ACC]], %[[WORDS:.*]]) :
  // CHECK: llvm.call @tawa_emu_acc_free(%[[THREAD]], %[[ACC]])
  // CHECK: llvm.load %[[WORDS]] : !llvm.ptr -> f32
  // CHECK-COUNT-3: llvm.load %{{.*}} : !llvm.ptr -> f32
  %r = sm90.wgmma_wait 0 %last : (!sm90.inflight<64x8xf32>) -> !sm90.accumulator<64x8xf32>
  %u:4 = sm90.unpack %r : !sm90.accumulator<64x8xf32>
  sm90.store_global %out, %u#0, %u#1, %u#2, %u#3 : f32, f32, f32, f32
  %p = sm90.pack %x, %u#1, %u#2, %u#3 : !sm90.accumulator<64x8xf32>
  // CHECK: %[[SECOND:.*]] = llvm.call @tawa_emu_acc_new
  // CHECK-COUNT-4: llvm.store %{{.*}} : f32, !llvm.ptr
  // CHECK: llvm.call @tawa_emu_acc_write(%[[THREAD]], %[[SECOND]],
  %again = sm90.resume %p : !sm90.accumulator<64x8xf32> -> !sm90.inflight<64x8xf32>
  return
}

// Loops of plain control flow are seen too.
// CHECK-LABEL: llvm.func @spin
func.func @spin(%n: i32) attributes {sm90.kernel, sm90.threads = 128 : i32, sm90.shared_bytes = 0 : i32} {
  %one = arith.constant 1 : i32
  cf.br ^head(%n : i32)
^head(%i: i32):
  %next = arith.subi %i, %one : i32
  %more = arith.cmpi sgt, %next, %one : i32
  // CHECK: llvm.call @tawa_emu_back_edge
  // CHECK-NEXT: llvm.cond_br
  cf.cond_br %more, ^head(%next : i32), ^end
^end:
  return
}
