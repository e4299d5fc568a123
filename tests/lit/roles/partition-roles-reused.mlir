// An operand that is loaded once, before the loop of its dot, through pointers: it travels through a ring of one slot, or
// the consumer loads it itself and A stays in registers. Either way the tiles of the loop travel.
// RUN: tawa-opt %s --split-input-file --tawa-partition-roles='consumer-groups=1' --tawa-distribute-roles='ring-depth=2 consumer-groups=1' | FileCheck %s

// CHECK-LABEL: tt.func public @travels
// CHECK-DAG:   %[[Q:.*]] = tawa.create_aref : <1, [tensor<64x32xf16>]>
// CHECK-DAG:   %[[K:.*]] = tawa.create_aref : <2, [tensor<32x64xf16>]>
// CHECK:       tawa.warp_group producer
// CHECK:         %[[X:.*]] = tawa.copy_tile {{.*}} along 1 by 8 : tensor<64x32x!tt.ptr<f16>> -> tensor<64x32xf16>
// CHECK:         tawa.put %[[Q]][%{{.*}}], %[[X]]
// CHECK:         scf.for
// CHECK:           tawa.copy_tile
// CHECK:           tawa.put %[[K]]
// CHECK:       tawa.warp_group consumer
// CHECK-NOT:     tt.load
// CHECK:         %[[A:.*]] = tawa.get %[[Q]]
// CHECK:         scf.for
// CHECK:           %[[B:.*]] = tawa.get %[[K]]
// CHECK:           tt.dot %[[A]], %[[B]]
// CHECK:           tawa.consumed %[[K]]
// CHECK:         }
// CHECK:         tawa.consumed %[[Q]]
tt.func public @travels(%q: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %k: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %c: !tt.ptr<f32>, %n: i32) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %step = arith.constant dense<2048> : tensor<32x64xi32>
  %ld = arith.constant dense<32> : tensor<64x1xi32>
  %ldk = arith.constant dense<64> : tensor<32x1xi32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r64 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %r32 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %rows = tt.expand_dims %r64 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %row = arith.muli %rows, %ld : tensor<64x1xi32>
  %rowb = tt.broadcast %row : tensor<64x1xi32> -> tensor<64x32xi32>
  %columns = tt.expand_dims %r32 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %columnb = tt.broadcast %columns : tensor<1x32xi32> -> tensor<64x32xi32>
  %off = arith.addi %rowb, %columnb : tensor<64x32xi32>
  %qs = tt.splat %q : !tt.ptr<f16> -> tensor<64x32x!tt.ptr<f16>>
  %qp = tt.addptr %qs, %off : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
  %x = tt.load %qp : tensor<64x32x!tt.ptr<f16>>
  %krows = tt.expand_dims %r32 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
  %krow = arith.muli %krows, %ldk : tensor<32x1xi32>
  %krowb = tt.broadcast %krow : tensor<32x1xi32> -> tensor<32x64xi32>
  %kcolumns = tt.expand_dims %r64 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %kcolumnb = tt.broadcast %kcolumns : tensor<1x64xi32> -> tensor<32x64xi32>
  %koff = arith.addi %krowb, %kcolumnb : tensor<32x64xi32>
  %ks = tt.splat %k : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>>
  %kp = tt.addptr %ks, %koff : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %kp, %acc = %zero) -> (tensor<32x64x!tt.ptr<f16>>, tensor<64x64xf32>) : i32 {
    %y = tt.load %p : tensor<32x64x!tt.ptr<f16>>
    %d = tt.dot %x, %y, %acc : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
    %next = tt.addptr %p, %step : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
    scf.yield %next, %d : tensor<32x64x!tt.ptr<f16>>, tensor<64x64xf32>
  }
  %cs = tt.splat %c : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
  tt.store %cs, %r#1 : tensor<64x64x!tt.ptr<f32>>
  tt.return
}

// -----

// Rows of Q may begin anywhere, so no copy can fetch it.
// CHECK-LABEL: tt.func public @stays
// CHECK:       %[[K:.*]] = tawa.create_aref : <2, [tensor<32x64xf16>]>
// CHECK-NOT:   tawa.create_aref
// CHECK:       tawa.warp_group producer
// CHECK:         tawa.copy_tile
// CHECK-NOT:     tawa.copy_tile
// CHECK:       tawa.warp_group consumer
// CHECK:         %[[A:.*]] = tt.load
// CHECK:         scf.for
// CHECK:           %[[B:.*]] = tawa.get %[[K]]
// CHECK:           tt.dot %[[A]], %[[B]]
tt.func public @stays(%q: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %k: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %c: !tt.ptr<f32>, %n: i32, %ld: i32) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %step = arith.constant dense<2048> : tensor<32x64xi32>
  %ldk = arith.constant dense<64> : tensor<32x1xi32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r64 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %r32 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %rows = tt.expand_dims %r64 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %lds = tt.splat %ld : i32 -> tensor<64x1xi32>
  %row = arith.muli %rows, %lds : tensor<64x1xi32>
  %rowb = tt.broadcast %row : tensor<64x1xi32> -> tensor<64x32xi32>
  %columns = tt.expand_dims %r32 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %columnb = tt.broadcast %columns : tensor<1x32xi32> -> tensor<64x32xi32>
  %off = arith.addi %rowb, %columnb : tensor<64x32xi32>
  %qs = tt.splat %q : !tt.ptr<f16> -> tensor<64x32x!tt.ptr<f16>>
  %qp = tt.addptr %qs, %off : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
  %x = tt.load %qp : tensor<64x32x!tt.ptr<f16>>
  %krows = tt.expand_dims %r32 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
  %krow = arith.muli %krows, %ldk : tensor<32x1xi32>
  %krowb = tt.broadcast %krow : tensor<32x1xi32> -> tensor<32x64xi32>
  %kcolumns = tt.expand_dims %r64 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %kcolumnb = tt.broadcast %kcolumns : tensor<1x64xi32> -> tensor<32x64xi32>
  %koff = arith.addi %krowb, %kcolumnb : tensor<32x64xi32>
  %ks = tt.splat %k : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>>
  %kp = tt.addptr %ks, %koff : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %kp, %acc = %zero) -> (tensor<32x64x!tt.ptr<f16>>, tensor<64x64xf32>) : i32 {
    %y = tt.load %p : tensor<32x64x!tt.ptr<f16>>
    %d = tt.dot %x, %y, %acc : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
    %next = tt.addptr %p, %step : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
    scf.yield %next, %d : tensor<32x64x!tt.ptr<f16>>, tensor<64x64xf32>
  }
  %cs = tt.splat %c : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
  tt.store %cs, %r#1 : tensor<64x64x!tt.ptr<f32>>
  tt.return
}
