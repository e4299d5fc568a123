// Rows whose number comes from a table, or which a loop carries: a negative one would be before the tensor, so TMA loads
// them. A row below one from a table, or one that a loop counts from a negative one, is no such row: the parameter may be
// an address within a larger tensor.
// RUN: tawa-opt %s --split-input-file --tawa-specialize-arguments --tawa-raise-loads='consumer-groups=1' --canonicalize --cse 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=WHY < %t

// CHECK-LABEL: tt.func public @table
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[MOVED:.*]] = %c0_i32)
// CHECK: %[[BLOCK:.*]] = tt.load %{{.*}} : !tt.ptr<i32>
// CHECK: %[[START:.*]] = arith.muli %[[BLOCK]], %c64_i32 : i32
// CHECK: tt.descriptor_load %{{.*}}[%[[START]], %c0_i32]
// CHECK: tt.descriptor_load %{{.*}}[%[[MOVED]], %c0_i32]
// CHECK: tt.load %{{.*}} : tensor<64x64x!tt.ptr<f16>>
// WHY-COUNT-2: remark: copied by threads instead of TMA: an index of it may be negative
// WHY-NOT: remark
tt.func public @table(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f16> {tt.divisibility = 16 : i32},
                      %c: !tt.ptr<f32>, %blocks: !tt.ptr<i32>, %n: i32) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %columns = arith.constant dense<64> : tensor<64x1xi32>
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %cols = tt.expand_dims %range {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %colsb = tt.broadcast %cols : tensor<1x64xi32> -> tensor<64x64xi32>
  %as = tt.splat %a : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>>
  %bs = tt.splat %b : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>>
  %r:2 = scf.for %it = %c0 to %n step %c1 iter_args(%sum = %zero, %moved = %c0) -> (tensor<64x64xf32>, i32) : i32 {
    %entry = tt.addptr %blocks, %it : !tt.ptr<i32>, i32
    %block = tt.load %entry : !tt.ptr<i32>
    %start = arith.muli %block, %c64 : i32
    %starts = tt.splat %start : i32 -> tensor<64xi32>
    %rows = arith.addi %starts, %range : tensor<64xi32>
    %rowse = tt.expand_dims %rows {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %rowsm = arith.muli %rowse, %columns : tensor<64x1xi32>
    %ap = tt.addptr %as, %rowsm : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
    %apb = tt.broadcast %ap : tensor<64x1x!tt.ptr<f16>> -> tensor<64x64x!tt.ptr<f16>>
    %pa = tt.addptr %apb, %colsb : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
    %x = tt.load %pa : tensor<64x64x!tt.ptr<f16>>
    %moveds = tt.splat %moved : i32 -> tensor<64xi32>
    %lines = arith.addi %moveds, %range : tensor<64xi32>
    %linese = tt.expand_dims %lines {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %linesm = arith.muli %linese, %columns : tensor<64x1xi32>
    %bp = tt.addptr %bs, %linesm : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
    %bpb = tt.broadcast %bp : tensor<64x1x!tt.ptr<f16>> -> tensor<64x64x!tt.ptr<f16>>
    %pb = tt.addptr %bpb, %colsb : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
    %y = tt.load %pb : tensor<64x64x!tt.ptr<f16>>
    %d = tt.dot %x, %y, %sum : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    %before = arith.subi %start, %n : i32
    %befores = tt.splat %before : i32 -> tensor<64xi32>
    %above = arith.addi %befores, %range : tensor<64xi32>
    %abovee = tt.expand_dims %above {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %abovem = arith.muli %abovee, %columns : tensor<64x1xi32>
    %zp = tt.addptr %bs, %abovem : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
    %zpb = tt.broadcast %zp : tensor<64x1x!tt.ptr<f16>> -> tensor<64x64x!tt.ptr<f16>>
    %pz = tt.addptr %zpb, %colsb : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
    %z = tt.load %pz : tensor<64x64x!tt.ptr<f16>>
    %e = tt.dot %x, %z, %d : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    %next = arith.addi %moved, %start : i32
    scf.yield %e, %next : tensor<64x64xf32>, i32
  }
  %cs = tt.splat %c : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
  tt.store %cs, %r#0 : tensor<64x64x!tt.ptr<f32>>
  tt.return
}

// -----

// CHECK-LABEL: tt.func public @halo
// CHECK: tt.load %{{.*}} : tensor<64x64x!tt.ptr<f16>>
tt.func public @halo(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %c: !tt.ptr<f32>, %n: i32) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %below = arith.constant -2 : i32
  %c1 = arith.constant 1 : i32
  %columns = arith.constant dense<64> : tensor<64x1xi32>
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %cols = tt.expand_dims %range {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %colsb = tt.broadcast %cols : tensor<1x64xi32> -> tensor<64x64xi32>
  %as = tt.splat %a : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>>
  %r = scf.for %it = %below to %n step %c1 iter_args(%sum = %zero) -> (tensor<64x64xf32>) : i32 {
    %starts = tt.splat %it : i32 -> tensor<64xi32>
    %rows = arith.addi %starts, %range : tensor<64xi32>
    %rowse = tt.expand_dims %rows {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %rowsm = arith.muli %rowse, %columns : tensor<64x1xi32>
    %ap = tt.addptr %as, %rowsm : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
    %apb = tt.broadcast %ap : tensor<64x1x!tt.ptr<f16>> -> tensor<64x64x!tt.ptr<f16>>
    %pa = tt.addptr %apb, %colsb : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
    %x = tt.load %pa : tensor<64x64x!tt.ptr<f16>>
    %d = tt.dot %x, %x, %sum : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %cs = tt.splat %c : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
  tt.store %cs, %r : tensor<64x64x!tt.ptr<f32>>
  tt.return
}
