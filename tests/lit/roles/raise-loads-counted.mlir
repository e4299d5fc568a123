// RUN: tawa-opt %s --tawa-specialize-arguments --tawa-raise-loads='consumer-groups=1' --canonicalize --cse | FileCheck %s

// The loop counts elements, of which its pointers advance as many: by columns of A, by rows of B.
// CHECK-LABEL: tt.func public @counted_in_elements(
// CHECK:         scf.for %[[AT:[a-z0-9]+]] =
// CHECK-DAG:       %[[COLUMN:.*]] = arith.select %{{.*}}, %c16_i32, %[[AT]] : i32
// CHECK:           tt.descriptor_load %{{.*}}[%c0_i32, %[[COLUMN]]] : !tt.tensordesc<tensor<64x32xf16>>
// CHECK:           tt.descriptor_load %{{.*}}[%[[COLUMN]], %c0_i32] : !tt.tensordesc<tensor<32x64xf16>>
// CHECK-NOT:       tt.load
  tt.func public @counted_in_elements(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f16> {tt.divisibility = 16 : i32},
                     %c: !tt.ptr<f32>, %K: i32, %sa: i32 {tt.divisibility = 16 : i32}, %sb: i32 {tt.divisibility = 16 : i32}) {
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %other = arith.constant dense<0.0> : tensor<64x32xf16>
    %otherb = arith.constant dense<0.0> : tensor<32x64xf16>
    %c0 = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %rk = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %rows = tt.expand_dims %range {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %n = tt.expand_dims %range {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %k = tt.expand_dims %rk {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %kk = tt.expand_dims %rk {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %sas = tt.splat %sa : i32 -> tensor<64x1xi32>
    %sbs = tt.splat %sb : i32 -> tensor<32x1xi32>
    %as = tt.splat %a : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>>
    %bs = tt.splat %b : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>>
    %ra = arith.muli %rows, %sas : tensor<64x1xi32>
    %rb = arith.muli %kk, %sbs : tensor<32x1xi32>
    %ap = tt.addptr %as, %ra : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
    %bp = tt.addptr %bs, %rb : tensor<32x1x!tt.ptr<f16>>, tensor<32x1xi32>
    %apb = tt.broadcast %ap : tensor<64x1x!tt.ptr<f16>> -> tensor<64x32x!tt.ptr<f16>>
    %bpb = tt.broadcast %bp : tensor<32x1x!tt.ptr<f16>> -> tensor<32x64x!tt.ptr<f16>>
    %kb = tt.broadcast %k : tensor<1x32xi32> -> tensor<64x32xi32>
    %nb = tt.broadcast %n : tensor<1x64xi32> -> tensor<32x64xi32>
    %pa = tt.addptr %apb, %kb : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
    %pb = tt.addptr %bpb, %nb : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
    %stepa = arith.constant dense<32> : tensor<64x32xi32>
    %moved = arith.muli %sb, %c32 : i32
    %stepb = tt.splat %moved : i32 -> tensor<32x64xi32>
    %r:3 = scf.for %at = %c0 to %K step %c32 iter_args(%pat = %pa, %pbt = %pb, %sum = %zero) -> (tensor<64x32x!tt.ptr<f16>>, tensor<32x64x!tt.ptr<f16>>, tensor<64x64xf32>) : i32 {
      %left = arith.subi %K, %at : i32
      %ls = tt.splat %left : i32 -> tensor<1x32xi32>
      %lm = arith.cmpi slt, %k, %ls : tensor<1x32xi32>
      %lmb = tt.broadcast %lm : tensor<1x32xi1> -> tensor<64x32xi1>
      %x = tt.load %pat, %lmb, %other : tensor<64x32x!tt.ptr<f16>>
      %lls = tt.splat %left : i32 -> tensor<32x1xi32>
      %llm = arith.cmpi slt, %kk, %lls : tensor<32x1xi32>
      %llmb = tt.broadcast %llm : tensor<32x1xi1> -> tensor<32x64xi1>
      %y = tt.load %pbt, %llmb, %otherb : tensor<32x64x!tt.ptr<f16>>
      %d = tt.dot %x, %y, %sum : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
      %an = tt.addptr %pat, %stepa : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
      %bn = tt.addptr %pbt, %stepb : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
      scf.yield %an, %bn, %d : tensor<64x32x!tt.ptr<f16>>, tensor<32x64x!tt.ptr<f16>>, tensor<64x64xf32>
    }
    %cs = tt.splat %c : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
    tt.store %cs, %r#2 : tensor<64x64x!tt.ptr<f32>>
    tt.return
  }
