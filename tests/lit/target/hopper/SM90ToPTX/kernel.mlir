// A kernel's signature, its attributes and dynamic shared memory, as NVPTX and ptxas need them.
//
// RUN: tawa-opt %s --tawa-sm90-to-ptx --canonicalize | FileCheck %s

// CHECK: llvm.mlir.global external @tawa_dynamic_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>

// The count at entry is always said: setmaxnreg starts from it.
// CHECK-LABEL: llvm.func @kernel(
// CHECK-SAME: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant}
// CHECK-SAME: %{{[a-z0-9]+}}: i32, %[[POINTER:[a-z0-9]+]]: !llvm.ptr<1>, %[[X:[a-z0-9]+]]: f32)
// CHECK-SAME: nvvm.kernel
// CHECK-SAME: nvvm.maxnreg = 168 : i32
// CHECK-SAME: nvvm.maxntid = array<i32: 384, 1, 1>
func.func @kernel(%map: !sm90.tensormap, %n: i32, %p: !llvm.ptr<1>, %x: f32)
    attributes {sm90.kernel, sm90.threads = 384 : i32, sm90.shared_bytes = 4096 : i32, sm90.entry_registers = 168 : i32} {
  // CHECK: %[[SHARED:.*]] = llvm.mlir.addressof @tawa_dynamic_shared : !llvm.ptr<3>
  // CHECK: llvm.ptrtoint %[[SHARED]] : !llvm.ptr<3> to i32
  %base = sm90.shared_base : i32
  sm90.store_shared %base, %n : i32
  // CHECK: llvm.inline_asm has_side_effects "st.global.b32 [$0], $1;", "l,f,~{memory}" %[[POINTER]], %[[X]]
  sm90.store_global %p, %x : f32
  // CHECK: llvm.return
  return
}

// Fewer than the threads would get: ptxas is held to it.
// CHECK-LABEL: llvm.func @few_registers
// CHECK-SAME: nvvm.maxnreg = 64 : i32
// CHECK-SAME: nvvm.maxntid = array<i32: 128, 1, 1>
func.func @few_registers() attributes {sm90.kernel, sm90.threads = 128 : i32, sm90.shared_bytes = 0 : i32,
                                       sm90.entry_registers = 64 : i32} {
  return
}
