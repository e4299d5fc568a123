// Descriptors of parameters become parameters; values computed by the launch become expressions.
// RUN: tawa-opt %s --tawa-specialize-arguments --tawa-hoist-descriptors -split-input-file -verify-diagnostics | FileCheck %s
// RUN: not tawa-opt --mlir-pass-statistics %s --tawa-specialize-arguments --tawa-hoist-descriptors -split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-hoist-descriptors{{$}}
// COUNTS: {{^ *}}2 num-hoisted:

// Two alike share one, from whichever role they come.
// CHECK-LABEL: @kernel
// CHECK-SAME: %[[D:[a-z0-9]+]]: !tt.tensordesc<tensor<16x32xf16>> {tawa.argument = #tawa.part<descriptor, index = 0, dimension = 0>, tawa.descriptor = #tawa.description<offset = "(a1 * 8)", shape = ["a1", "(a1 + (0 - 3))"], strides = ["max((a2 * 2), a3_stride0)", "1"], nan = true>})
// CHECK-NOT: tt.make_tensor_descriptor
// CHECK: tt.descriptor_store %[[D]]
// CHECK: tt.descriptor_store %[[D]]
tt.func public @kernel(%p: !tt.ptr<f16>, %m: i32, %ld: i64, %h: !tt.tensordesc<tensor<16x32xf16>>, %h0: i32, %h1: i32, %t0: i64, %t1: i64) {
  %v = arith.constant dense<0.0> : tensor<16x32xf16>
  %c8 = arith.constant 8 : i32
  %c2 = arith.constant 2 : i64
  %less = arith.constant -3 : i32
  %off = arith.muli %m, %c8 : i32
  %q = tt.addptr %p, %off : !tt.ptr<f16>, i32
  %n = arith.addi %m, %less : i32
  %l2 = arith.muli %ld, %c2 : i64
  %l = arith.maxsi %l2, %t0 : i64
  tawa.warp_group producer warps(4) registers(0) {
    %d = tt.make_tensor_descriptor %q, [%m, %n], [%l, %t1] {padding = 2 : i32} : <f16>, <tensor<16x32xf16>>
    tt.descriptor_store %d[%m, %m], %v : !tt.tensordesc<tensor<16x32xf16>>, tensor<16x32xf16>
  }
  tawa.warp_group consumer warps(4) registers(0) {
    %d = tt.make_tensor_descriptor %q, [%m, %n], [%l, %t1] {padding = 2 : i32} : <f16>, <tensor<16x32xf16>>
    tt.descriptor_store %d[%m, %m], %v : !tt.tensordesc<tensor<16x32xf16>>, tensor<16x32xf16>
  }
  tt.return
}

// -----

tt.func public @by_program(%p: !tt.ptr<f16>, %ld: i64, %n: i32) {
  %v = arith.constant dense<0.0> : tensor<16x32xf16>
  %one = arith.constant 1 : i64
  %pid = tt.get_program_id x : i32
  // expected-error @+1 {{is used by TMA, but depends on what only the kernel knows}}
  %d = tt.make_tensor_descriptor %p, [%n, %pid], [%ld, %one] : <f16>, <tensor<16x32xf16>>
  tt.descriptor_store %d[%n, %n], %v : !tt.tensordesc<tensor<16x32xf16>>, tensor<16x32xf16>
  tt.return
}

// -----

// A value that is reached along 2^40 ways: the search for an expression ends with the first that is too long.
tt.func public @doubling(%p: !tt.ptr<f16>, %ld: i64, %n: i32, %a: i32, %b: i32) {
  %v = arith.constant dense<0.0> : tensor<16x32xf16>
  %one = arith.constant 1 : i64
  %u0 = arith.addi %n, %a : i32
  %v0 = arith.addi %n, %b : i32
  %x0 = arith.muli %u0, %v0 : i32
  %u1 = arith.addi %x0, %a : i32
  %v1 = arith.addi %x0, %b : i32
  %x1 = arith.muli %u1, %v1 : i32
  %u2 = arith.addi %x1, %a : i32
  %v2 = arith.addi %x1, %b : i32
  %x2 = arith.muli %u2, %v2 : i32
  %u3 = arith.addi %x2, %a : i32
  %v3 = arith.addi %x2, %b : i32
  %x3 = arith.muli %u3, %v3 : i32
  %u4 = arith.addi %x3, %a : i32
  %v4 = arith.addi %x3, %b : i32
  %x4 = arith.muli %u4, %v4 : i32
  %u5 = arith.addi %x4, %a : i32
  %v5 = arith.addi %x4, %b : i32
  %x5 = arith.muli %u5, %v5 : i32
  %u6 = arith.addi %x5, %a : i32
  %v6 = arith.addi %x5, %b : i32
  %x6 = arith.muli %u6, %v6 : i32
  %u7 = arith.addi %x6, %a : i32
  %v7 = arith.addi %x6, %b : i32
  %x7 = arith.muli %u7, %v7 : i32
  %u8 = arith.addi %x7, %a : i32
  %v8 = arith.addi %x7, %b : i32
  %x8 = arith.muli %u8, %v8 : i32
  %u9 = arith.addi %x8, %a : i32
  %v9 = arith.addi %x8, %b : i32
  %x9 = arith.muli %u9, %v9 : i32
  %u10 = arith.addi %x9, %a : i32
  %v10 = arith.addi %x9, %b : i32
  %x10 = arith.muli %u10, %v10 : i32
  %u11 = arith.addi %x10, %a : i32
  %v11 = arith.addi %x10, %b : i32
  %x11 = arith.muli %u11, %v11 : i32
  %u12 = arith.addi %x11, %a : i32
  %v12 = arith.addi %x11, %b : i32
  %x12 = arith.muli %u12, %v12 : i32
  %u13 = arith.addi %x12, %a : i32
  %v13 = arith.addi %x12, %b : i32
  %x13 = arith.muli %u13, %v13 : i32
  %u14 = arith.addi %x13, %a : i32
  %v14 = arith.addi %x13, %b : i32
  %x14 = arith.muli %u14, %v14 : i32
  %u15 = arith.addi %x14, %a : i32
  %v15 = arith.addi %x14, %b : i32
  %x15 = arith.muli %u15, %v15 : i32
  %u16 = arith.addi %x15, %a : i32
  %v16 = arith.addi %x15, %b : i32
  %x16 = arith.muli %u16, %v16 : i32
  %u17 = arith.addi %x16, %a : i32
  %v17 = arith.addi %x16, %b : i32
  %x17 = arith.muli %u17, %v17 : i32
  %u18 = arith.addi %x17, %a : i32
  %v18 = arith.addi %x17, %b : i32
  %x18 = arith.muli %u18, %v18 : i32
  %u19 = arith.addi %x18, %a : i32
  %v19 = arith.addi %x18, %b : i32
  %x19 = arith.muli %u19, %v19 : i32
  %u20 = arith.addi %x19, %a : i32
  %v20 = arith.addi %x19, %b : i32
  %x20 = arith.muli %u20, %v20 : i32
  %u21 = arith.addi %x20, %a : i32
  %v21 = arith.addi %x20, %b : i32
  %x21 = arith.muli %u21, %v21 : i32
  %u22 = arith.addi %x21, %a : i32
  %v22 = arith.addi %x21, %b : i32
  %x22 = arith.muli %u22, %v22 : i32
  %u23 = arith.addi %x22, %a : i32
  %v23 = arith.addi %x22, %b : i32
  %x23 = arith.muli %u23, %v23 : i32
  %u24 = arith.addi %x23, %a : i32
  %v24 = arith.addi %x23, %b : i32
  %x24 = arith.muli %u24, %v24 : i32
  %u25 = arith.addi %x24, %a : i32
  %v25 = arith.addi %x24, %b : i32
  %x25 = arith.muli %u25, %v25 : i32
  %u26 = arith.addi %x25, %a : i32
  %v26 = arith.addi %x25, %b : i32
  %x26 = arith.muli %u26, %v26 : i32
  %u27 = arith.addi %x26, %a : i32
  %v27 = arith.addi %x26, %b : i32
  %x27 = arith.muli %u27, %v27 : i32
  %u28 = arith.addi %x27, %a : i32
  %v28 = arith.addi %x27, %b : i32
  %x28 = arith.muli %u28, %v28 : i32
  %u29 = arith.addi %x28, %a : i32
  %v29 = arith.addi %x28, %b : i32
  %x29 = arith.muli %u29, %v29 : i32
  %u30 = arith.addi %x29, %a : i32
  %v30 = arith.addi %x29, %b : i32
  %x30 = arith.muli %u30, %v30 : i32
  %u31 = arith.addi %x30, %a : i32
  %v31 = arith.addi %x30, %b : i32
  %x31 = arith.muli %u31, %v31 : i32
  %u32 = arith.addi %x31, %a : i32
  %v32 = arith.addi %x31, %b : i32
  %x32 = arith.muli %u32, %v32 : i32
  %u33 = arith.addi %x32, %a : i32
  %v33 = arith.addi %x32, %b : i32
  %x33 = arith.muli %u33, %v33 : i32
  %u34 = arith.addi %x33, %a : i32
  %v34 = arith.addi %x33, %b : i32
  %x34 = arith.muli %u34, %v34 : i32
  %u35 = arith.addi %x34, %a : i32
  %v35 = arith.addi %x34, %b : i32
  %x35 = arith.muli %u35, %v35 : i32
  %u36 = arith.addi %x35, %a : i32
  %v36 = arith.addi %x35, %b : i32
  %x36 = arith.muli %u36, %v36 : i32
  %u37 = arith.addi %x36, %a : i32
  %v37 = arith.addi %x36, %b : i32
  %x37 = arith.muli %u37, %v37 : i32
  %u38 = arith.addi %x37, %a : i32
  %v38 = arith.addi %x37, %b : i32
  %x38 = arith.muli %u38, %v38 : i32
  %u39 = arith.addi %x38, %a : i32
  %v39 = arith.addi %x38, %b : i32
  %x39 = arith.muli %u39, %v39 : i32
  // expected-error @+1 {{is used by TMA, but depends on what only the kernel knows}}
  %d = tt.make_tensor_descriptor %p, [%n, %x39], [%ld, %one] : <f16>, <tensor<16x32xf16>>
  tt.descriptor_store %d[%n, %n], %v : !tt.tensordesc<tensor<16x32xf16>>, tensor<16x32xf16>
  tt.return
}
