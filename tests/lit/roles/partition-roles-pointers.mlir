// RUN: tawa-opt %s --split-input-file --tawa-partition-roles='consumer-groups=1' --tawa-distribute-roles='ring-depth=2 consumer-groups=1' | FileCheck %s
// RUN: tawa-opt --mlir-pass-statistics %s --split-input-file --tawa-partition-roles='consumer-groups=1' --tawa-distribute-roles='ring-depth=2 consumer-groups=1' -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-partition-roles{{$}}
// COUNTS: {{^ *}}4 num-declined:
// COUNTS-NEXT: 1 a loaded tile is used by something other than the operands of tt.dot
// COUNTS-NEXT: 1 a tile load may read what the kernel writes, or waits for, before it, so no other role may load it earlier
// COUNTS-NEXT: 1 less than 4 bytes of a tile of pointers are known to be contiguous in memory under one mask, so no asynchronous copy can fetch it
// COUNTS-NEXT: 1 the masked elements of a tile load are not zero
// COUNTS: {{^ *}}3 num-partitioned:
// Tiles of pointers that TMA cannot load: the producer's threads copy them. One ring carries both.

// CHECK-LABEL: tt.func public @copied
// CHECK:       %[[RING:.*]] = tawa.create_aref : <2, [tensor<64x32xf16>, tensor<32x64xf16>]>
// CHECK:       tawa.warp_group producer warps(4)
// CHECK:         arith.remsi
// CHECK:         scf.for
// CHECK:           %[[X:.*]] = tawa.copy_tile %{{.*}}, %{{.*}} along 1 by 8 : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi1> -> tensor<64x32xf16>
// CHECK:           %[[Y:.*]] = tawa.copy_tile %{{.*}} along 0 by 8 : tensor<32x64x!tt.ptr<f16>> -> tensor<32x64xf16>
// CHECK:           tawa.put %[[RING]][%{{.*}}], %[[X]], %[[Y]]
// CHECK:       tawa.warp_group consumer
// CHECK-NOT:     arith.remsi
// CHECK:         tawa.get %[[RING]]
// CHECK:         tt.dot
  tt.func public @copied(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f16> {tt.divisibility = 16 : i32},
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
    %rows = arith.remsi %rm, %Ms : tensor<64xi32>
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

// -----

// Four bytes of two elements: the narrowest copy there is.
// CHECK-LABEL: tt.func public @narrow
// CHECK:         tawa.copy_tile %{{.*}}, %{{.*}} along 1 by 2
  tt.func public @narrow(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f16> {tt.divisibility = 16 : i32},
                     %c: !tt.ptr<f32>, %M: i32, %N: i32, %K: i32 {tt.divisibility = 16 : i32}, %sa: i32 {tt.divisibility = 2 : i32}, %sb: i32 {tt.divisibility = 2 : i32}) {
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

// -----

// CHECK: module attributes {tawa.declined = "less than 4 bytes of a tile of pointers are known to be contiguous in memory under one mask, so no asynchronous copy can fetch it"}
// CHECK-NEXT: tt.func public @scattered
  tt.func public @scattered(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f16> {tt.divisibility = 16 : i32},
                     %c: !tt.ptr<f32>, %M: i32, %N: i32, %K: i32 {tt.divisibility = 16 : i32}, %sa: i32 {tt.divisibility = 1 : i32}, %sb: i32 {tt.divisibility = 1 : i32}) {
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

// -----

// CHECK: module attributes {tawa.declined = "the masked elements of a tile load are not zero"}
// CHECK-NEXT: tt.func public @filled
  tt.func public @filled(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f16> {tt.divisibility = 16 : i32},
                     %c: !tt.ptr<f32>, %M: i32, %N: i32, %K: i32 {tt.divisibility = 16 : i32}, %sa: i32 {tt.divisibility = 16 : i32}, %sb: i32 {tt.divisibility = 16 : i32}) {
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %other = arith.constant dense<1.0> : tensor<64x32xf16>
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

// -----

// The kernel stores to where A is read from, before the loop: no role may load ahead.
// CHECK: module attributes {tawa.declined = "a tile load may read what the kernel writes, or waits for, before it, so no other role may load it earlier"}
// CHECK-NEXT: tt.func public @written
  tt.func public @written(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f16> {tt.divisibility = 16 : i32},
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
    tt.store %apb, %other : tensor<64x32x!tt.ptr<f16>>
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

// -----

// CHECK: module attributes {tawa.declined = "a loaded tile is used by something other than the operands of tt.dot"}
// CHECK-NEXT: tt.func public @used
  tt.func public @used(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f16> {tt.divisibility = 16 : i32},
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
      tt.store %at, %x : tensor<64x32x!tt.ptr<f16>>
      %an = tt.addptr %at, %stepa : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
      %bn = tt.addptr %bt, %stepb : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
      scf.yield %an, %bn, %d : tensor<64x32x!tt.ptr<f16>>, tensor<32x64x!tt.ptr<f16>>, tensor<64x64xf32>
    }
    %cs = tt.splat %c : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
    tt.store %cs, %r#2 : tensor<64x64x!tt.ptr<f32>>
    tt.return
  }

// -----

// Rows of B by numbers from memory; A is computed and stays in the consumer's registers.
// CHECK-LABEL: tt.func public @gathered
// CHECK:       %[[RING:.*]] = tawa.create_aref : <2, [tensor<32x64xf16>]>
// CHECK:       tawa.warp_group producer warps(4)
// CHECK:         scf.for
// CHECK:           tt.load %{{.*}} : tensor<32x!tt.ptr<i32>>
// CHECK:           tawa.copy_tile %{{.*}} along 1 by 8 : tensor<32x64x!tt.ptr<f16>> -> tensor<32x64xf16>
// CHECK:       tawa.warp_group consumer
// CHECK-NOT:     tt.load
// CHECK:         tawa.get %[[RING]]
// CHECK:         tt.dot
  tt.func public @gathered(%b: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %index: !tt.ptr<i32>, %c: !tt.ptr<f32>, %K: i32) {
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %c0 = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    %pitch = arith.constant dense<64> : tensor<32x1xi32>
    %rk = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %rn = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %n = tt.expand_dims %rn {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %nb = tt.broadcast %n : tensor<1x64xi32> -> tensor<32x64xi32>
    %is = tt.splat %index : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>>
    %bs = tt.splat %b : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>>
    %r = scf.for %it = %c0 to %K step %c32 iter_args(%sum = %zero) -> (tensor<64x64xf32>) : i32 {
      %at = tt.splat %it : i32 -> tensor<32xi32>
      %k = arith.addi %at, %rk : tensor<32xi32>
      %ip = tt.addptr %is, %k : tensor<32x!tt.ptr<i32>>, tensor<32xi32>
      %rows = tt.load %ip : tensor<32x!tt.ptr<i32>>
      %e = tt.expand_dims %rows {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %offsets = arith.muli %e, %pitch : tensor<32x1xi32>
      %bp = tt.addptr %bs, %offsets : tensor<32x1x!tt.ptr<f16>>, tensor<32x1xi32>
      %bb = tt.broadcast %bp : tensor<32x1x!tt.ptr<f16>> -> tensor<32x64x!tt.ptr<f16>>
      %pb = tt.addptr %bb, %nb : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
      %y = tt.load %pb : tensor<32x64x!tt.ptr<f16>>
      %number = arith.sitofp %it : i32 to f16
      %x = tt.splat %number : f16 -> tensor<64x32xf16>
      %d = tt.dot %x, %y, %sum : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    %cs = tt.splat %c : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
    tt.store %cs, %r : tensor<64x64x!tt.ptr<f32>>
    tt.return
  }
