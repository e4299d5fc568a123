// RUN: tawa-opt %s --tawa-specialize-arguments --tawa-raise-loads='consumer-groups=1' --canonicalize --cse | FileCheck %s

// A has masks, which become the bounds; B has none and runs along dimension 0, so that its block is loaded transposed.
// CHECK-LABEL: tt.func public @masked(
// CHECK-SAME:    %[[A:[a-z0-9]+]]: !tt.ptr<f16> {{{[^%]*}}, %[[B:[a-z0-9]+]]: !tt.ptr<f16> {{{[^%]*}}, %{{[a-z0-9]+}}: !tt.ptr<f32> {{{[^%]*}}, %[[M:[a-z0-9]+]]: i32 {{{[^%]*}}, %{{[a-z0-9]+}}: i32 {{{[^%]*}}, %[[K:[a-z0-9]+]]: i32 {{{[^%]*}}, %[[SA:[a-z0-9]+]]: i32 {{{[^%]*}}, %[[SB:[a-z0-9]+]]: i32
// CHECK-DAG:     %[[END:.*]] = arith.constant 2147483520 : i32
// CHECK-DAG:     %[[LDA:.*]] = arith.extsi %[[SA]] : i32 to i64
// CHECK-DAG:     %[[LDB:.*]] = arith.extsi %[[SB]] : i32 to i64
// CHECK-DAG:     %[[ROWS:.*]] = arith.maxsi %[[M]], %c1_i32 : i32
// CHECK-DAG:     %[[NOROWS:.*]] = arith.cmpi slt, %[[M]], %c1_i32 : i32
// CHECK-DAG:     %[[COLUMNS:.*]] = arith.maxsi %[[K]], %c1_i32 : i32
// CHECK-DAG:     %[[NOCOLUMNS:.*]] = arith.cmpi slt, %[[K]], %c1_i32 : i32
// CHECK-DAG:     %[[DA:.*]] = tt.make_tensor_descriptor %[[A]], [%[[ROWS]], %[[COLUMNS]]], [%[[LDA]], %{{.*}}] : <f16>, <tensor<64x32xf16>>
// CHECK-DAG:     %[[DB:.*]] = tt.make_tensor_descriptor %[[B]], [%[[END]], %[[END]]], [%[[LDB]], %{{.*}}] : <f16>, <tensor<64x32xf16>>
// CHECK:         %[[ROW:.*]] = arith.muli %{{.*}}, %c64_i32 : i32
// CHECK:         scf.for %[[IT:[a-z0-9]+]] =
// CHECK-DAG:       %[[COLUMN:[a-z0-9]+]] = arith.muli %[[IT]], %c32_i32 : i32
// CHECK-DAG:       %[[A0:[a-z0-9]+]] = arith.select %[[NOROWS]], %c16_i32, %[[ROW]] : i32
// CHECK-DAG:       %[[A1:[a-z0-9]+]] = arith.select %[[NOCOLUMNS]], %c16_i32, %[[COLUMN]] : i32
// CHECK:           tt.descriptor_load %[[DA]][%[[A0]], %[[A1]]]
// CHECK:           %[[Y:.*]] = tt.descriptor_load %[[DB]][%c0_i32, %[[COLUMN]]]
// CHECK:           tt.trans %[[Y]] {order = array<i32: 1, 0>}
  tt.func public @masked(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f16> {tt.divisibility = 16 : i32},
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
    %rows = arith.addi %splat, %range : tensor<64xi32>
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
      %x = tt.load %at, %mask, %other : tensor<64x32x!tt.ptr<f16>>
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
