// What came with Triton 3.5 and 3.6: values named as in Python, named locations, padding of descriptors, tt.unsplat,
// tt.map_elementwise, loop annotations by alias, split precision, flags of newer LLVM, assumptions.
// RUN: tawa-opt %s | FileCheck %s
// RUN: tawa-opt %s -mlir-print-debuginfo | FileCheck %s --check-prefix=LOC

#loc = loc("/k.py":3:0)
#loc1 = loc(unknown)
#loc9 = loc("x_ptr"(#loc))
#loop_annotation = #llvm.loop_annotation<licm = <disable = true, versioningDisable = true>>
module {
  // LOC: loc("x_ptr"(
  // CHECK-LABEL: tt.func public @k
  tt.func public @k(%x_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32} loc("x_ptr"(#loc)), %n: i32 loc("n"(#loc)), %big: i64 loc("big"(#loc))) attributes {noinline = false} {
    %c0_i32 = arith.constant 0 : i32 loc(#loc1)
    %c1_i32 = arith.constant 1 : i32 loc(#loc1)
    %c1_i64 = arith.constant 1 : i64 loc(#loc1)
    %cst = arith.constant dense<1.000000e+00> : tensor<32x32xf32> loc(#loc1)
    %pid = arith.cmpi sge, %n, %c0_i32 : i32 loc(#loc4)
    // CHECK: "llvm.intr.assume"(%{{.*}}) : (i1) -> ()
    llvm.intr.assume %pid : i1 loc(#loc4)
    // CHECK: tt.make_tensor_descriptor %{{.*}} {padding = 2 : i32} : <f32>, <tensor<32x32xf32>>
    %desc = tt.make_tensor_descriptor %x_ptr, [%n, %n], [%big, %c1_i64] {padding = 2 : i32} : <f32>, <tensor<32x32xf32>> loc(#loc4)
    // CHECK: scf.for
    %acc = scf.for %k = %c0_i32 to %n step %c1_i32 iter_args(%acc_0 = %cst) -> (tensor<32x32xf32>)  : i32 {
      %a = tt.descriptor_load %desc[%k, %c0_i32] : !tt.tensordesc<tensor<32x32xf32>> -> tensor<32x32xf32> loc(#loc5)
      // CHECK: inputPrecision = bf16x6
      %acc_1 = tt.dot %a, %cst, %acc_0, inputPrecision = bf16x6 : tensor<32x32xf32> * tensor<32x32xf32> -> tensor<32x32xf32> loc(#loc5)
      scf.yield %acc_1 : tensor<32x32xf32> loc(#loc5)
      // CHECK: } {llvm.loop_annotation = #[[ANNOTATION:.*]], tt.divisibility_arg1 = dense<128> : tensor<1xi32>}
    } {llvm.loop_annotation = #loop_annotation, tt.divisibility_arg1 = dense<128> : tensor<1xi32>} loc(#loc5)
    // CHECK: arith.trunci %{{.*}} : i64 to i32
    %m = arith.trunci %big overflow<nsw> : i64 to i32 loc(#loc5)
    // CHECK: arith.shrui %{{.*}}, %{{.*}} : i32
    %h = arith.shrui %m, %c1_i32 exact : i32 loc(#loc5)
    // CHECK: arith.muli %{{.*}}, %{{.*}} overflow<nsw> : i32
    %o = arith.muli %h, %h overflow<nsw> : i32 loc(#loc5)
    %t = tt.splat %o : i32 -> tensor<1xi32> loc(#loc5)
    // CHECK: tt.unsplat %{{.*}} : tensor<1xi32>
    %s = tt.unsplat %t : tensor<1xi32> loc(#loc5)
    %p = tt.addptr %x_ptr, %s : !tt.ptr<f32>, i32 loc(#loc5)
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>> loc(#loc5)
    tt.store %ps, %acc : tensor<32x32x!tt.ptr<f32>> loc(#loc5)
    tt.return loc(#loc6)
  } loc(#loc)
} loc(#loc)
#loc4 = loc("/k.py":5:4)
#loc5 = loc("/k.py":6:4)
#loc6 = loc("/k.py":9:4)
