// Descriptors of parameters become parameters; what a launch computes stands in expressions.
// RUN: tawa-opt %s --tawa-specialize-arguments --tawa-hoist-descriptors -split-input-file -verify-diagnostics | FileCheck %s

// Two alike share one, from whichever role they come.
// CHECK-LABEL: @kernel
// CHECK-SAME: %[[D:[a-z0-9]+]]: !tt.tensordesc<tensor<16x32xf16>> {tawa.argument = {dimension = 0 : i32, index = 0 : i32, part = "descriptor"}, tawa.descriptor = {nan = true, offset = "(a1 * 8)", shape = ["a1", "(a1 + (0 - 3))"], strides = ["max((a2 * 2), a3_stride0)", "1"]}})
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
  tawa.warp_group "one" warps(4) registers(0) {
    %d = tt.make_tensor_descriptor %q, [%m, %n], [%l, %t1] {padding = 2 : i32} : <f16>, <tensor<16x32xf16>>
    tt.descriptor_store %d[%m, %m], %v : !tt.tensordesc<tensor<16x32xf16>>, tensor<16x32xf16>
  }
  tawa.warp_group "two" warps(4) registers(0) {
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
