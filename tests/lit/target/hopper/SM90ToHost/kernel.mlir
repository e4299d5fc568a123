// One function per kernel: thread and parameter buffer in, arguments at the offsets of PTX .param space.
//
// RUN: tawa-opt %s --tawa-sm90-to-host | FileCheck %s

// Only what is called is declared.
// CHECK-NOT: @tawa_emu_tma_store
// CHECK: llvm.func @tawa_emu_global_access(!llvm.ptr, i64, i32, i32) -> !llvm.ptr attributes {convergent, no_unwind}
// CHECK: llvm.func @tawa_emu_prefetch_tensormap(!llvm.ptr, !llvm.ptr) attributes {convergent, no_unwind}

// CHECK-LABEL: llvm.func @kernel(
// CHECK-SAME: %[[THREAD:.*]]: !llvm.ptr, %[[PARAMS:.*]]: !llvm.ptr) attributes {no_unwind}
// CHECK: %[[A:.*]] = llvm.getelementptr %[[PARAMS]][0] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK: llvm.load %[[A]] : !llvm.ptr -> i16
// A tensor map stays in the buffer.
// CHECK: %[[MAP:.*]] = llvm.getelementptr %[[PARAMS]][64]
// CHECK: %[[B:.*]] = llvm.getelementptr %[[PARAMS]][192]
// CHECK: llvm.load %[[B]] : !llvm.ptr -> i8
// CHECK: %[[P:.*]] = llvm.getelementptr %[[PARAMS]][200]
// CHECK: %[[POINTER:.*]] = llvm.load %[[P]] : !llvm.ptr -> !llvm.ptr<1>
func.func @kernel(%a: i16, %map: !sm90.tensormap, %b: i8, %p: !llvm.ptr<1>)
    attributes {sm90.kernel, sm90.threads = 128 : i32, sm90.shared_bytes = 0 : i32} {
  // CHECK: llvm.call @tawa_emu_prefetch_tensormap(%[[THREAD]], %[[MAP]])
  sm90.prefetch_tensormap %map
  // CHECK: %[[NUMBER:.*]] = llvm.ptrtoint %[[POINTER]] : !llvm.ptr<1> to i64
  // CHECK: %[[PLACE:.*]] = llvm.call @tawa_emu_global_access(%[[THREAD]], %[[NUMBER]],
  // CHECK: llvm.store %{{.*}}, %{{.*}} : i16, !llvm.ptr
  sm90.store_global %p, %a : i16
  return
}
