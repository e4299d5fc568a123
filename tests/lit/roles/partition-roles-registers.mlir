// Tiles of pointers that the consumer computes with travel beside those that dots read, where the producer finds them.
// RUN: tawa-opt %s --split-input-file --tawa-partition-roles='consumer-groups=1' --tawa-distribute-roles='ring-depth=2 consumer-groups=1' | FileCheck %s

// CHECK-LABEL: tt.func public @scaled
// CHECK-DAG:   tawa.create_aref : <2, [tensor<64x32xf32>]>
// CHECK-DAG:   tawa.create_aref : <2, [tensor<32x64xf16>]>
// CHECK:       tawa.warp_group producer
// CHECK:         tawa.copy_tile %{{.*}} along 1 by 4
// CHECK:       tawa.warp_group consumer
// CHECK-NOT:     tt.load
// CHECK:         arith.mulf
// CHECK:         tt.dot
tt.func public @scaled(%a: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %b: !tt.tensordesc<tensor<32x64xf16>>,
                       %b0: i32, %b1: i32, %bs0: i64, %bs1: i64, %c: !tt.ptr<f32>, %ld: i32 {tt.divisibility = 16 : i32}, %n: i32) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %half = arith.constant dense<0.5> : tensor<64x32xf32>
  %step = arith.constant dense<32> : tensor<64x32xi32>
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %rm = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %rk = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %m = tt.expand_dims %rm {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %k = tt.expand_dims %rk {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %lds = tt.splat %ld : i32 -> tensor<64x1xi32>
  %rows = arith.muli %m, %lds : tensor<64x1xi32>
  %rowsb = tt.broadcast %rows : tensor<64x1xi32> -> tensor<64x32xi32>
  %kb = tt.broadcast %k : tensor<1x32xi32> -> tensor<64x32xi32>
  %off = arith.addi %rowsb, %kb : tensor<64x32xi32>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<64x32x!tt.ptr<f32>>
  %pa = tt.addptr %as, %off : tensor<64x32x!tt.ptr<f32>>, tensor<64x32xi32>
  %r:2 = scf.for %at = %c0 to %n step %c32 iter_args(%p = %pa, %sum = %zero) -> (tensor<64x32x!tt.ptr<f32>>, tensor<64x64xf32>) : i32 {
    %x = tt.load %p : tensor<64x32x!tt.ptr<f32>>
    %scaled = arith.mulf %x, %half : tensor<64x32xf32>
    %h = arith.truncf %scaled : tensor<64x32xf32> to tensor<64x32xf16>
    %y = tt.descriptor_load %b[%at, %c0] : !tt.tensordesc<tensor<32x64xf16>> -> tensor<32x64xf16>
    %d = tt.dot %h, %y, %sum : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
    %next = tt.addptr %p, %step : tensor<64x32x!tt.ptr<f32>>, tensor<64x32xi32>
    scf.yield %next, %d : tensor<64x32x!tt.ptr<f32>>, tensor<64x64xf32>
  }
  %cs = tt.splat %c : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
  tt.store %cs, %r#1 : tensor<64x64x!tt.ptr<f32>>
  tt.return
}

// -----

// The addresses come from a tile that itself travels: the consumer loads A, and the kernel is split all the same.
// CHECK-LABEL: tt.func public @gathered
// CHECK:       tawa.warp_group producer
// CHECK-NOT:     tawa.copy_tile
// CHECK:       tawa.warp_group consumer
// CHECK:         tt.load
// CHECK:         tt.dot
tt.func public @gathered(%a: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %b: !tt.tensordesc<tensor<32x64xf16>>,
                         %b0: i32, %b1: i32, %bs0: i64, %bs1: i64, %i: !tt.tensordesc<tensor<64x32xi32>>,
                         %i0: i32, %i1: i32, %is0: i64, %is1: i64, %c: !tt.ptr<f32>, %n: i32) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<64x32x!tt.ptr<f32>>
  %r = scf.for %at = %c0 to %n step %c32 iter_args(%sum = %zero) -> (tensor<64x64xf32>) : i32 {
    %index = tt.descriptor_load %i[%c0, %at] : !tt.tensordesc<tensor<64x32xi32>> -> tensor<64x32xi32>
    %p = tt.addptr %as, %index : tensor<64x32x!tt.ptr<f32>>, tensor<64x32xi32>
    %x = tt.load %p : tensor<64x32x!tt.ptr<f32>>
    %h = arith.truncf %x : tensor<64x32xf32> to tensor<64x32xf16>
    %y = tt.descriptor_load %b[%at, %c0] : !tt.tensordesc<tensor<32x64xf16>> -> tensor<32x64xf16>
    %d = tt.dot %h, %y, %sum : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %cs = tt.splat %c : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
  tt.store %cs, %r : tensor<64x64x!tt.ptr<f32>>
  tt.return
}

// -----

// Nothing else feeds the loop: an operand that is converted on its way, and the other one, which wgmma reads.
// CHECK-LABEL: tt.func public @converted
// CHECK-DAG:   tawa.create_aref : <2, [tensor<64x32xf32>]>
// CHECK-DAG:   tawa.create_aref : <2, [tensor<32x64xf16>]>
// CHECK:       tawa.warp_group producer
// CHECK:         tawa.copy_tile
// CHECK:         tawa.copy_tile
// CHECK:       tawa.warp_group consumer
// CHECK-NOT:     tt.load
// CHECK:         arith.truncf
// CHECK:         tt.dot
tt.func public @converted(%a: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %c: !tt.ptr<f32>, %n: i32) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %ld32 = arith.constant dense<64> : tensor<32x1xi32>
  %ld64 = arith.constant dense<64> : tensor<64x1xi32>
  %r32 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %r64 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %m32 = tt.expand_dims %r32 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
  %m64 = tt.expand_dims %r64 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %k32 = tt.expand_dims %r32 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %k64 = tt.expand_dims %r64 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %ao = arith.muli %m64, %ld64 : tensor<64x1xi32>
  %aob = tt.broadcast %ao : tensor<64x1xi32> -> tensor<64x32xi32>
  %akb = tt.broadcast %k32 : tensor<1x32xi32> -> tensor<64x32xi32>
  %aoff = arith.addi %aob, %akb : tensor<64x32xi32>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<64x32x!tt.ptr<f32>>
  %ap = tt.addptr %as, %aoff : tensor<64x32x!tt.ptr<f32>>, tensor<64x32xi32>
  %bo = arith.muli %m32, %ld32 : tensor<32x1xi32>
  %bob = tt.broadcast %bo : tensor<32x1xi32> -> tensor<32x64xi32>
  %bkb = tt.broadcast %k64 : tensor<1x64xi32> -> tensor<32x64xi32>
  %boff = arith.addi %bob, %bkb : tensor<32x64xi32>
  %bs = tt.splat %b : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>>
  %bp = tt.addptr %bs, %boff : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
  %stepa = arith.constant dense<32> : tensor<64x32xi32>
  %stepb = arith.constant dense<2048> : tensor<32x64xi32>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%at = %ap, %bt = %bp, %sum = %zero) -> (tensor<64x32x!tt.ptr<f32>>, tensor<32x64x!tt.ptr<f16>>, tensor<64x64xf32>) : i32 {
    %x = tt.load %at : tensor<64x32x!tt.ptr<f32>>
    %y = tt.load %bt : tensor<32x64x!tt.ptr<f16>>
    %h = arith.truncf %x : tensor<64x32xf32> to tensor<64x32xf16>
    %d = tt.dot %h, %y, %sum : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
    %an = tt.addptr %at, %stepa : tensor<64x32x!tt.ptr<f32>>, tensor<64x32xi32>
    %bn = tt.addptr %bt, %stepb : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
    scf.yield %an, %bn, %d : tensor<64x32x!tt.ptr<f32>>, tensor<32x64x!tt.ptr<f16>>, tensor<64x64xf32>
  }
  %cs = tt.splat %c : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
  tt.store %cs, %r#2 : tensor<64x64x!tt.ptr<f32>>
  tt.return
}

// -----

// Threads multiply what they load from the slots: wgmma takes neither 32 rows nor 32 columns.
// CHECK-LABEL: tt.func public @small
// CHECK:       tawa.create_aref : <2, [tensor<32x32xf16>, tensor<32x32xf16>]>
// CHECK:       tawa.warp_group consumer
// CHECK-NOT:     tt.load
// CHECK:         tt.dot
tt.func public @small(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %c: !tt.ptr<f32>, %n: i32) {
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %ld32 = arith.constant dense<64> : tensor<32x1xi32>
  %ld64 = arith.constant dense<64> : tensor<64x1xi32>
  %r32 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %r64 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %m32 = tt.expand_dims %r32 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
  %m64 = tt.expand_dims %r64 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %k32 = tt.expand_dims %r32 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %k64 = tt.expand_dims %r64 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %ao = arith.muli %m32, %ld32 : tensor<32x1xi32>
  %aob = tt.broadcast %ao : tensor<32x1xi32> -> tensor<32x32xi32>
  %akb = tt.broadcast %k32 : tensor<1x32xi32> -> tensor<32x32xi32>
  %aoff = arith.addi %aob, %akb : tensor<32x32xi32>
  %as = tt.splat %a : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>>
  %ap = tt.addptr %as, %aoff : tensor<32x32x!tt.ptr<f16>>, tensor<32x32xi32>
  %bo = arith.muli %m32, %ld32 : tensor<32x1xi32>
  %bob = tt.broadcast %bo : tensor<32x1xi32> -> tensor<32x32xi32>
  %bkb = tt.broadcast %k32 : tensor<1x32xi32> -> tensor<32x32xi32>
  %boff = arith.addi %bob, %bkb : tensor<32x32xi32>
  %bs = tt.splat %b : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>>
  %bp = tt.addptr %bs, %boff : tensor<32x32x!tt.ptr<f16>>, tensor<32x32xi32>
  %stepa = arith.constant dense<32> : tensor<32x32xi32>
  %stepb = arith.constant dense<2048> : tensor<32x32xi32>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%at = %ap, %bt = %bp, %sum = %zero) -> (tensor<32x32x!tt.ptr<f16>>, tensor<32x32x!tt.ptr<f16>>, tensor<32x32xf32>) : i32 {
    %x = tt.load %at : tensor<32x32x!tt.ptr<f16>>
    %y = tt.load %bt : tensor<32x32x!tt.ptr<f16>>
    %d = tt.dot %x, %y, %sum : tensor<32x32xf16> * tensor<32x32xf16> -> tensor<32x32xf32>
    %an = tt.addptr %at, %stepa : tensor<32x32x!tt.ptr<f16>>, tensor<32x32xi32>
    %bn = tt.addptr %bt, %stepb : tensor<32x32x!tt.ptr<f16>>, tensor<32x32xi32>
    scf.yield %an, %bn, %d : tensor<32x32x!tt.ptr<f16>>, tensor<32x32x!tt.ptr<f16>>, tensor<32x32xf32>
  }
  %cs = tt.splat %c : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>>
  tt.store %cs, %r#2 : tensor<32x32x!tt.ptr<f32>>
  tt.return
}

// -----

// A consumer that loads one of the tiles itself waits for memory in each iteration.
// CHECK: module attributes {tawa.declined = "wgmma does not take a tt.dot of this shape, these element types or this precision"}
// CHECK-NEXT: tt.func public @half_fed
tt.func public @half_fed(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %c: !tt.ptr<f32>, %n: i32) {
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %ld32 = arith.constant dense<64> : tensor<32x1xi32>
  %ld64 = arith.constant dense<64> : tensor<64x1xi32>
  %r32 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %r64 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %m32 = tt.expand_dims %r32 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
  %m64 = tt.expand_dims %r64 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %k32 = tt.expand_dims %r32 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %k64 = tt.expand_dims %r64 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %ao = arith.muli %m32, %ld32 : tensor<32x1xi32>
  %aob = tt.broadcast %ao : tensor<32x1xi32> -> tensor<32x32xi32>
  %akb = tt.broadcast %k32 : tensor<1x32xi32> -> tensor<32x32xi32>
  %aoff = arith.addi %aob, %akb : tensor<32x32xi32>
  %as = tt.splat %a : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>>
  %ap = tt.addptr %as, %aoff : tensor<32x32x!tt.ptr<f16>>, tensor<32x32xi32>
  %bo = arith.muli %m32, %ld32 : tensor<32x1xi32>
  %bob = tt.broadcast %bo : tensor<32x1xi32> -> tensor<32x32xi32>
  %bkb = tt.broadcast %k32 : tensor<1x32xi32> -> tensor<32x32xi32>
  %boff = arith.addi %bob, %bkb : tensor<32x32xi32>
  %bs = tt.splat %b : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>>
  %bp = tt.addptr %bs, %boff : tensor<32x32x!tt.ptr<f16>>, tensor<32x32xi32>
  %one = arith.constant dense<1.0> : tensor<32x32xf16>
  %inside = arith.cmpi slt, %boff, %bkb : tensor<32x32xi32>
  %stepa = arith.constant dense<32> : tensor<32x32xi32>
  %stepb = arith.constant dense<2048> : tensor<32x32xi32>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%at = %ap, %bt = %bp, %sum = %zero) -> (tensor<32x32x!tt.ptr<f16>>, tensor<32x32x!tt.ptr<f16>>, tensor<32x32xf32>) : i32 {
    %x = tt.load %at : tensor<32x32x!tt.ptr<f16>>
    %y = tt.load %bt, %inside, %one : tensor<32x32x!tt.ptr<f16>>
    %d = tt.dot %x, %y, %sum : tensor<32x32xf16> * tensor<32x32xf16> -> tensor<32x32xf32>
    %an = tt.addptr %at, %stepa : tensor<32x32x!tt.ptr<f16>>, tensor<32x32xi32>
    %bn = tt.addptr %bt, %stepb : tensor<32x32x!tt.ptr<f16>>, tensor<32x32xi32>
    scf.yield %an, %bn, %d : tensor<32x32x!tt.ptr<f16>>, tensor<32x32x!tt.ptr<f16>>, tensor<32x32xf32>
  }
  %cs = tt.splat %c : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>>
  tt.store %cs, %r#2 : tensor<32x32x!tt.ptr<f32>>
  tt.return
}

// -----

// A tile that is read in the next iteration would be read after its slot is given back.
// CHECK: module attributes {tawa.declined =
// CHECK-NEXT: tt.func public @handed_on
tt.func public @handed_on(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %c: !tt.ptr<f32>, %n: i32) {
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %none = arith.constant dense<0.0> : tensor<32x32xf16>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %ld32 = arith.constant dense<64> : tensor<32x1xi32>
  %ld64 = arith.constant dense<64> : tensor<64x1xi32>
  %r32 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %r64 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %m32 = tt.expand_dims %r32 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
  %m64 = tt.expand_dims %r64 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %k32 = tt.expand_dims %r32 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %k64 = tt.expand_dims %r64 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %ao = arith.muli %m32, %ld32 : tensor<32x1xi32>
  %aob = tt.broadcast %ao : tensor<32x1xi32> -> tensor<32x32xi32>
  %akb = tt.broadcast %k32 : tensor<1x32xi32> -> tensor<32x32xi32>
  %aoff = arith.addi %aob, %akb : tensor<32x32xi32>
  %as = tt.splat %a : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>>
  %ap = tt.addptr %as, %aoff : tensor<32x32x!tt.ptr<f16>>, tensor<32x32xi32>
  %bo = arith.muli %m32, %ld32 : tensor<32x1xi32>
  %bob = tt.broadcast %bo : tensor<32x1xi32> -> tensor<32x32xi32>
  %bkb = tt.broadcast %k32 : tensor<1x32xi32> -> tensor<32x32xi32>
  %boff = arith.addi %bob, %bkb : tensor<32x32xi32>
  %bs = tt.splat %b : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>>
  %bp = tt.addptr %bs, %boff : tensor<32x32x!tt.ptr<f16>>, tensor<32x32xi32>
  %stepa = arith.constant dense<32> : tensor<32x32xi32>
  %stepb = arith.constant dense<2048> : tensor<32x32xi32>
  %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%at = %ap, %bt = %bp, %sum = %zero, %old = %none) -> (tensor<32x32x!tt.ptr<f16>>, tensor<32x32x!tt.ptr<f16>>, tensor<32x32xf32>, tensor<32x32xf16>) : i32 {
    %x = tt.load %at : tensor<32x32x!tt.ptr<f16>>
    %y = tt.load %bt : tensor<32x32x!tt.ptr<f16>>
    %d = tt.dot %old, %y, %sum : tensor<32x32xf16> * tensor<32x32xf16> -> tensor<32x32xf32>
    %an = tt.addptr %at, %stepa : tensor<32x32x!tt.ptr<f16>>, tensor<32x32xi32>
    %bn = tt.addptr %bt, %stepb : tensor<32x32x!tt.ptr<f16>>, tensor<32x32xi32>
    scf.yield %an, %bn, %d, %x : tensor<32x32x!tt.ptr<f16>>, tensor<32x32x!tt.ptr<f16>>, tensor<32x32xf32>, tensor<32x32xf16>
  }
  %cs = tt.splat %c : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>>
  tt.store %cs, %r#2 : tensor<32x32x!tt.ptr<f32>>
  tt.return
}
