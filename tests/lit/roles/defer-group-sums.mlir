// Two warp groups share the columns of scores of 64 rows: each sums up its own, and these are added up after the loop. With one group,
// and where each has whole rows, sums stay as they are.
// RUN: tawa-opt %s --tawa-defer-group-sums -split-input-file | FileCheck %s
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-defer-group-sums -split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-defer-group-sums{{$}}
// COUNTS: {{^ *}}1 num-deferred:
// COUNTS: {{^ *}}1 num-kept:
// COUNTS-NEXT: 1 each group has whole rows

// CHECK-LABEL: tt.func private @shared_columns
// CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<64x2xf32>
// CHECK: %[[LOOP:.*]]:2 = scf.for {{.*}} iter_args(%[[L:.*]] = %[[ZERO]],
// CHECK:   %[[WIDE:.*]] = tt.reshape %{{.*}} : tensor<64x64xf32> -> tensor<64x2x32xf32>
// CHECK:   %[[PARTS:.*]] = "tt.reduce"(%[[WIDE]]) <{axis = 2 : i32}>
// CHECK:   %[[SCALED:.*]] = arith.mulf %[[L]], %{{.*}} : tensor<64x2xf32>
// CHECK:   %[[NEXT:.*]] = arith.addf %[[SCALED]], %[[PARTS]] : tensor<64x2xf32>
// CHECK:   scf.yield %[[NEXT]],
// CHECK: %[[SUM:.*]] = "tt.reduce"(%[[LOOP]]#0) <{axis = 1 : i32}>
// CHECK: tt.store %{{.*}}, %[[SUM]]
tt.func private @shared_columns(%n: i32, %p: tensor<64x!tt.ptr<f32>>) {
  %ring = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  tawa.warp_group consumer warps(8) registers(0) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %none = arith.constant dense<0.0> : tensor<64x64xf32>
    %zero = arith.constant dense<0.0> : tensor<64xf32>
    %factor = arith.constant dense<0.5> : tensor<64xf32>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%l = %zero, %count = %c0) -> (tensor<64xf32>, i32) : i32 {
      %t = tawa.get %ring[%count] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      %s = tt.dot %t, %t, %none : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      tawa.consumed %ring[%count] : !tawa.aref<2, [tensor<64x64xf16>]>
      %p1 = math.exp2 %s : tensor<64x64xf32>
      %part = "tt.reduce"(%p1) <{axis = 1 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %c = arith.addf %a, %b : f32
        tt.reduce.return %c : f32
      }) : (tensor<64x64xf32>) -> tensor<64xf32>
      %scaled = arith.mulf %l, %factor : tensor<64xf32>
      %next = arith.addf %scaled, %part : tensor<64xf32>
      %more = arith.addi %count, %c1 : i32
      scf.yield %next, %more : tensor<64xf32>, i32
    }
    tt.store %p, %r#0 : tensor<64x!tt.ptr<f32>>
  }
  tt.return
}

// -----

// CHECK-LABEL: tt.func private @whole_rows
// CHECK-NOT: tt.reshape
tt.func private @whole_rows(%n: i32, %p: tensor<128x!tt.ptr<f32>>) {
  %ring = tawa.create_aref : !tawa.aref<2, [tensor<128x64xf16>, tensor<64x64xf16>]>
  tawa.warp_group consumer warps(8) registers(0) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %none = arith.constant dense<0.0> : tensor<128x64xf32>
    %zero = arith.constant dense<0.0> : tensor<128xf32>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%l = %zero, %count = %c0) -> (tensor<128xf32>, i32) : i32 {
      %t, %u = tawa.get %ring[%count] : !tawa.aref<2, [tensor<128x64xf16>, tensor<64x64xf16>]> -> tensor<128x64xf16>, tensor<64x64xf16>
      %s = tt.dot %t, %u, %none : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
      tawa.consumed %ring[%count] : !tawa.aref<2, [tensor<128x64xf16>, tensor<64x64xf16>]>
      %part = "tt.reduce"(%s) <{axis = 1 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %c = arith.addf %a, %b : f32
        tt.reduce.return %c : f32
      }) : (tensor<128x64xf32>) -> tensor<128xf32>
      %next = arith.addf %l, %part : tensor<128xf32>
      %more = arith.addi %count, %c1 : i32
      scf.yield %next, %more : tensor<128xf32>, i32
    }
    tt.store %p, %r#0 : tensor<128x!tt.ptr<f32>>
  }
  tt.return
}
