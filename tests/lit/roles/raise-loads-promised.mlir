// Rows that begin at a difference, of which the text says that it is not negative, in the kernel or in the loop.
// RUN: tawa-opt %s --tawa-structure-control-flow --tawa-specialize-arguments --tawa-raise-loads='consumer-groups=1' --canonicalize --cse | FileCheck %s

// CHECK-LABEL: tt.func public @promised
// CHECK-NOT: tt.load
// CHECK: %[[START:.*]] = arith.subi %{{.*}}, %{{.*}} : i32
// CHECK: scf.for
// CHECK: tt.descriptor_load
// CHECK: tt.descriptor_load
  tt.func public @promised(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f16> {tt.divisibility = 16 : i32},
                     %c: !tt.ptr<f32>, %M: i32, %N: i32, %K: i32 {tt.divisibility = 16 : i32}, %sa: i32 {tt.divisibility = 16 : i32}, %sb: i32 {tt.divisibility = 16 : i32}) {
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %other = arith.constant dense<0.0> : tensor<64x32xf16>
    %otherb = arith.constant dense<0.0> : tensor<32x64xf16>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c31 = arith.constant 31 : i32
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i32
    %pid = tt.get_program_id x : i32
    %first = arith.muli %pid, %c64 : i32
    %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %splat = tt.splat %first : i32 -> tensor<64xi32>
    %rm = arith.addi %splat, %range : tensor<64xi32>
    %Ms = tt.splat %M : i32 -> tensor<64xi32>
    %rk = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %start = arith.subi %first, %M : i32
    %fits = arith.cmpi sge, %start, %c0 : i32
    llvm.intr.assume %fits : i1
    %starts = tt.splat %start : i32 -> tensor<64xi32>
    %rows = arith.addi %starts, %range : tensor<64xi32>
    %e = tt.expand_dims %rows {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %sas = tt.splat %sa : i32 -> tensor<64x1xi32>
    %es = arith.muli %e, %sas : tensor<64x1xi32>
    %k = tt.expand_dims %rk {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %as = tt.splat %a : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>>
    %ap = tt.addptr %as, %es : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
    %apb = tt.broadcast %ap : tensor<64x1x!tt.ptr<f16>> -> tensor<64x32x!tt.ptr<f16>>
    %kb = tt.broadcast %k : tensor<1x32xi32> -> tensor<64x32xi32>
    %pa = tt.addptr %apb, %kb : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
    %n = tt.expand_dims %range {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %sbs = tt.splat %sb : i32 -> tensor<1x64xi32>
    %ns = arith.muli %n, %sbs : tensor<1x64xi32>
    %kk = tt.expand_dims %rk {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %bs = tt.splat %b : !tt.ptr<f16> -> tensor<1x64x!tt.ptr<f16>>
    %bp = tt.addptr %bs, %ns : tensor<1x64x!tt.ptr<f16>>, tensor<1x64xi32>
    %bpb = tt.broadcast %bp : tensor<1x64x!tt.ptr<f16>> -> tensor<32x64x!tt.ptr<f16>>
    %kkb = tt.broadcast %kk : tensor<32x1xi32> -> tensor<32x64xi32>
    %pb = tt.addptr %bpb, %kkb : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
    %stepa = arith.constant dense<32> : tensor<64x32xi32>
    %stepb = arith.constant dense<32> : tensor<32x64xi32>
    %inm = arith.cmpi slt, %rm, %Ms : tensor<64xi32>
    %inme = tt.expand_dims %inm {axis = 1 : i32} : tensor<64xi1> -> tensor<64x1xi1>
    %inmb = tt.broadcast %inme : tensor<64x1xi1> -> tensor<64x32xi1>
    %up = arith.addi %K, %c31 : i32
    %trips = arith.divsi %up, %c32 : i32
    %r:3 = scf.for %it = %c0 to %trips step %c1 iter_args(%at = %pa, %bt = %pb, %sum = %zero) -> (tensor<64x32x!tt.ptr<f16>>, tensor<32x64x!tt.ptr<f16>>, tensor<64x64xf32>) : i32 {
      %done = arith.muli %it, %c32 : i32
      %left = arith.subi %K, %done : i32
      %ls = tt.splat %left : i32 -> tensor<1x32xi32>
      %lm = arith.cmpi slt, %k, %ls : tensor<1x32xi32>
      %lmb = tt.broadcast %lm : tensor<1x32xi1> -> tensor<64x32xi1>
      %mask = arith.andi %lmb, %inmb : tensor<64x32xi1>
      %x = tt.load %at : tensor<64x32x!tt.ptr<f16>>
      %y = tt.load %bt : tensor<32x64x!tt.ptr<f16>>
      %d = tt.dot %x, %y, %sum : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
      %an = tt.addptr %at, %stepa : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
      %bn = tt.addptr %bt, %stepb : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
      scf.yield %an, %bn, %d : tensor<64x32x!tt.ptr<f16>>, tensor<32x64x!tt.ptr<f16>>, tensor<64x64xf32>
    }
    %cs = tt.splat %c : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
    tt.store %cs, %r#2 : tensor<64x64x!tt.ptr<f32>>
    tt.return
  }
