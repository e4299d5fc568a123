// Syntax that only Triton 3.0 and 3.1 print: numbered values, flags of tt.reshape in the dictionary, four fields after the
// message of tt.assert, tt.print without isSigned, no masks on atomics, locations of call sites after the module.
// RUN: tawa-opt %s | FileCheck %s
// RUN: tawa-opt %s -mlir-print-debuginfo | FileCheck %s --check-prefix=LOC

// CHECK-LABEL: tt.func public @kernel_0d1d
module {
  tt.func public @kernel_0d1d(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32} loc("/k.py":5:0), %arg1: i32 {tt.divisibility = 16 : i32} loc("/k.py":5:0)) attributes {noinline = false} {
    %c128_i32 = arith.constant 128 : i32 loc(#loc1)
    %cst = arith.constant dense<0xFF800000> : tensor<128xf32> loc(#loc1)
    %0 = tt.get_program_id x : i32 loc(#loc2)
    %1 = arith.muli %0, %c128_i32 : i32 loc(#loc2)
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32> loc(#loc2)
    %3 = tt.splat %1 : i32 -> tensor<128xi32> loc(#loc2)
    %4 = arith.addi %3, %2 : tensor<128xi32> loc(#loc2)
    %5 = tt.splat %arg1 : i32 -> tensor<128xi32> loc(#loc2)
    %6 = arith.cmpi slt, %4, %5 : tensor<128xi32> loc(#loc2)
    // CHECK: tt.assert %{{.*}}, "/k.py:9: kernel: index" : tensor<128xi1>
    tt.assert %6, "index", "/k.py", "kernel", 9 : tensor<128xi1> loc(#loc2)
    %7 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>> loc(#loc2)
    %8 = tt.addptr %7, %4 : tensor<128x!tt.ptr<f32>>, tensor<128xi32> loc(#loc2)
    // CHECK: tt.load %{{.*}}, %{{.*}}, %{{.*}} evictionPolicy = evict_last : tensor<128x!tt.ptr<f32>>
    %9 = tt.load %8, %6, %cst evictionPolicy = evict_last : tensor<128x!tt.ptr<f32>> loc(#loc2)
    // CHECK: tt.reshape %{{.*}} allow_reorder : tensor<128xf32> -> tensor<8x16xf32>
    %10 = tt.reshape %9 {allow_reorder = true} : tensor<128xf32> -> tensor<8x16xf32> loc(#loc2)
    // CHECK: tt.reshape %{{[^ ]*}} : tensor<8x16xf32> -> tensor<16x8xf32>
    %11 = tt.reshape %10 {allow_reorder = false} : tensor<8x16xf32> -> tensor<16x8xf32> loc(#loc2)
    // LOC: tt.reduce.return %{{.*}} loc(#[[RED:loc[0-9]*]])
    %12 = "tt.reduce"(%11) <{axis = 1 : i32}> ({
    ^bb0(%arg3: f32 loc(unknown), %arg4: f32 loc(unknown)):
      %13 = arith.maxnumf %arg3, %arg4 : f32 loc(#loc4)
      tt.reduce.return %13 : f32 loc(#loc3)
    }) : (tensor<16x8xf32>) -> tensor<16xf32> loc(#loc3)
    // CHECK: tt.print " max: " : %{{.*}} : tensor<16xf32>
    tt.print " max: " {hex = false} : %12 : tensor<16xf32> loc(#loc2)
    // CHECK: tt.atomic_rmw fadd, acq_rel, gpu, %{{.*}}, %{{.*}}, %{{.*}} : (tensor<128x!tt.ptr<f32>>, tensor<128xf32>, tensor<128xi1>) -> tensor<128xf32>
    %14 = tt.atomic_rmw fadd, acq_rel, gpu, %8, %9, %6 : (tensor<128x!tt.ptr<f32>>, tensor<128xf32>, tensor<128xi1>) -> tensor<128xf32> loc(#loc2)
    tt.return loc(#loc2)
  } loc(#loc)
} loc(#loc)
// LOC: #[[RED]] = loc(callsite(#{{.*}} at #{{.*}}))
#loc = loc("/k.py":5:0)
#loc1 = loc(unknown)
#loc2 = loc("/k.py":6:24)
#loc5 = loc("/standard.py":267:36)
#loc3 = loc(callsite(#loc5 at #loc2))
#loc4 = loc(callsite(#loc5 at #loc3))
