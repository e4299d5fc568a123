// Tiles with an extent that is no power of two become equal parts of the largest that divides it.
// RUN: tawa-opt %s --tawa-split-tiles --canonicalize --cse | FileCheck %s
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-split-tiles -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-split-tiles{{$}}
// COUNTS: {{^ *}}21 num-divided:

// Columns of a product: one A, three parts of B and of the sum, through the loop.
// CHECK-LABEL: tt.func public @kernel
// CHECK-SAME: !tt.tensordesc<tensor<128x64xf16>>, %{{.*}}: !tt.tensordesc<tensor<64x64xf16>>, %{{.*}}: !tt.tensordesc<tensor<128x64xf32>>
// CHECK: scf.for %[[K:.*]] = {{.*}} iter_args(%[[S0:.*]] = %[[ZERO:.*]], %[[S1:.*]] = %[[ZERO]], %[[S2:.*]] = %[[ZERO]]) -> (tensor<128x64xf32>, tensor<128x64xf32>, tensor<128x64xf32>)
// CHECK: %[[A:.*]] = tt.descriptor_load %arg0
// CHECK: %[[B0:.*]] = tt.descriptor_load %arg1[%[[N:.*]], %[[K]]] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
// CHECK: %[[N1:.*]] = arith.addi %[[N]], %c64_i32
// CHECK: %[[B1:.*]] = tt.descriptor_load %arg1[%[[N1]], %[[K]]]
// CHECK: %[[N2:.*]] = arith.addi %[[N]], %c128_i32
// CHECK: %[[B2:.*]] = tt.descriptor_load %arg1[%[[N2]], %[[K]]]
// CHECK: %[[T0:.*]] = tt.trans %[[B0]]
// CHECK: %[[T1:.*]] = tt.trans %[[B1]]
// CHECK: %[[T2:.*]] = tt.trans %[[B2]]
// CHECK: tt.dot %[[A]], %[[T0]], %[[S0]]
// CHECK: tt.dot %[[A]], %[[T1]], %[[S1]]
// CHECK: tt.dot %[[A]], %[[T2]], %[[S2]]
// CHECK: tt.descriptor_store %arg2[%{{.*}}, %[[N]]], %{{.*}}#0 : !tt.tensordesc<tensor<128x64xf32>>
// CHECK: tt.descriptor_store %arg2[%{{.*}}, %{{.*}}], %{{.*}}#1
// CHECK: tt.descriptor_store %arg2[%{{.*}}, %{{.*}}], %{{.*}}#2
tt.func public @kernel(%a: !tt.tensordesc<tensor<128x64xf16>>, %b: !tt.tensordesc<tensor<192x64xf16>>,
                       %c: !tt.tensordesc<tensor<128x192xf32>>, %n: i32, %m: i32, %k: i32) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %zeros = arith.constant dense<0.0> : tensor<128x192xf32>
  %sum = scf.for %i = %zero to %k step %step iter_args(%s = %zeros) -> (tensor<128x192xf32>) : i32 {
    %x = tt.descriptor_load %a[%m, %i] : !tt.tensordesc<tensor<128x64xf16>> -> tensor<128x64xf16>
    %y = tt.descriptor_load %b[%n, %i] : !tt.tensordesc<tensor<192x64xf16>> -> tensor<192x64xf16>
    %t = tt.trans %y {order = array<i32: 1, 0>} : tensor<192x64xf16> -> tensor<64x192xf16>
    %d = tt.dot %x, %t, %s : tensor<128x64xf16> * tensor<64x192xf16> -> tensor<128x192xf32>
    scf.yield %d : tensor<128x192xf32>
  }
  tt.descriptor_store %c[%m, %n], %sum : !tt.tensordesc<tensor<128x192xf32>>, tensor<128x192xf32>
  tt.return
}

// Pointers: ranges begin where their part does, what is one row is broadcast to each part, masks are divided too. The hint
// of a run of 96 holds for runs of 32.
// CHECK-LABEL: tt.func public @pointers
// CHECK-DAG: %[[R0:.*]] = tt.make_range {end = 32 : i32, start = 0 : i32, tt.contiguity = dense<32> : tensor<1xi32>} : tensor<32xi32>
// CHECK-DAG: %[[R1:.*]] = tt.make_range {end = 64 : i32, start = 32 : i32, tt.contiguity = dense<32> : tensor<1xi32>} : tensor<32xi32>
// CHECK-DAG: %[[R2:.*]] = tt.make_range {end = 96 : i32, start = 64 : i32, tt.contiguity = dense<32> : tensor<1xi32>} : tensor<32xi32>
// CHECK-COUNT-3: tt.broadcast %{{.*}} : tensor<1x32xi32> -> tensor<4x32xi32>
// CHECK-COUNT-3: tt.load %{{.*}}, %{{.*}} : tensor<4x32x!tt.ptr<f32>>
// CHECK-COUNT-3: tt.store %{{.*}}, %{{.*}}, %{{.*}} : tensor<4x32x!tt.ptr<f32>>
tt.func public @pointers(%p: !tt.ptr<f32>, %n: i32) {
  %r = tt.make_range {end = 96 : i32, start = 0 : i32, tt.contiguity = dense<96> : tensor<1xi32>} : tensor<96xi32>
  %row = tt.expand_dims %r {axis = 0 : i32} : tensor<96xi32> -> tensor<1x96xi32>
  %columns = tt.broadcast %row : tensor<1x96xi32> -> tensor<4x96xi32>
  %ends = tt.splat %n : i32 -> tensor<4x96xi32>
  %mask = arith.cmpi slt, %columns, %ends : tensor<4x96xi32>
  %base = tt.splat %p : !tt.ptr<f32> -> tensor<4x96x!tt.ptr<f32>>
  %q = tt.addptr %base, %columns : tensor<4x96x!tt.ptr<f32>>, tensor<4x96xi32>
  %x = tt.load %q, %mask : tensor<4x96x!tt.ptr<f32>>
  tt.store %q, %x, %mask : tensor<4x96x!tt.ptr<f32>>
  tt.return
}

// A reduction along the divided dimension combines the parts first; along another one it is done for each.
// CHECK-LABEL: tt.func public @reductions
// CHECK: %[[ONE:.*]] = "tt.map_elementwise"(%[[X0:.*]], %[[X1:.*]]) <{pack = 1 : i32}> ({
// CHECK: arith.addf
// CHECK: tt.map_elementwise.return
// CHECK: }) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
// CHECK: %[[ALL:.*]] = "tt.map_elementwise"(%[[ONE]], %[[X2:.*]])
// CHECK: "tt.reduce"(%[[ALL]]) <{axis = 1 : i32}>
// CHECK: }) : (tensor<8x8xf32>) -> tensor<8xf32>
// CHECK: "tt.reduce"(%[[X0]]) <{axis = 0 : i32}>
// CHECK: }) : (tensor<8x8xf32>) -> tensor<8xf32>
// CHECK: "tt.reduce"(%[[X1]]) <{axis = 0 : i32}>
// CHECK: "tt.reduce"(%[[X2]]) <{axis = 0 : i32}>
tt.func public @reductions(%d: !tt.tensordesc<tensor<8x24xf32>>, %e: !tt.tensordesc<tensor<8xf32>>,
                           %f: !tt.tensordesc<tensor<24xf32>>, %i: i32) {
  %x = tt.descriptor_load %d[%i, %i] : !tt.tensordesc<tensor<8x24xf32>> -> tensor<8x24xf32>
  %rows = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    tt.reduce.return %s : f32
  }) : (tensor<8x24xf32>) -> tensor<8xf32>
  %columns = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    tt.reduce.return %s : f32
  }) : (tensor<8x24xf32>) -> tensor<24xf32>
  tt.descriptor_store %e[%i], %rows : !tt.tensordesc<tensor<8xf32>>, tensor<8xf32>
  tt.descriptor_store %f[%i], %columns : !tt.tensordesc<tensor<24xf32>>, tensor<24xf32>
  tt.return
}

// Rows and sums of a product: parts of B are shared by the rows, and products along K are a chain. A selection is one of
// parts.
// CHECK-LABEL: tt.func public @product
// CHECK: %[[P0:.*]] = tt.dot %{{.*}}, %[[B0:.*]], %{{.*}} : tensor<16x8xf16> * tensor<8x16xf16> -> tensor<16x16xf32>
// CHECK: %[[P1:.*]] = tt.dot %{{.*}}, %[[B1:.*]], %[[P0]]
// CHECK: %[[SUM0:.*]] = tt.dot %{{.*}}, %[[B2:.*]], %[[P1]]
// CHECK: tt.dot %{{.*}}, %[[B0]], %{{.*}} : tensor<16x8xf16>
// CHECK: tt.dot %{{.*}}, %[[B1]],
// CHECK: tt.dot %{{.*}}, %[[B2]],
// CHECK: tt.dot %{{.*}}, %[[B0]],
// CHECK: arith.select %{{.*}}, %[[SUM0]], %{{.*}} : tensor<16x16xf32>
// CHECK-COUNT-2: arith.select
tt.func public @product(%a: !tt.tensordesc<tensor<48x24xf16>>, %b: !tt.tensordesc<tensor<24x16xf16>>,
                        %c: !tt.tensordesc<tensor<48x16xf32>>, %i: i32, %some: i1) {
  %zeros = arith.constant dense<0.0> : tensor<48x16xf32>
  %x = tt.descriptor_load %a[%i, %i] : !tt.tensordesc<tensor<48x24xf16>> -> tensor<48x24xf16>
  %y = tt.descriptor_load %b[%i, %i] : !tt.tensordesc<tensor<24x16xf16>> -> tensor<24x16xf16>
  %s = tt.dot %x, %y, %zeros : tensor<48x24xf16> * tensor<24x16xf16> -> tensor<48x16xf32>
  %t = arith.select %some, %s, %zeros : tensor<48x16xf32>
  tt.descriptor_store %c[%i, %i], %t : !tt.tensordesc<tensor<48x16xf32>>, tensor<48x16xf32>
  tt.return
}

// A constant of several values.
// CHECK-LABEL: tt.func public @constant
// CHECK-DAG: arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7]> : tensor<8xi32>
// CHECK-DAG: arith.constant dense<[8, 9, 10, 11, 12, 13, 14, 15]> : tensor<8xi32>
// CHECK-DAG: arith.constant dense<[16, 17, 18, 19, 20, 21, 22, 23]> : tensor<8xi32>
tt.func public @constant(%d: !tt.tensordesc<tensor<24xi32>>, %i: i32) {
  %c = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]> : tensor<24xi32>
  tt.descriptor_store %d[%i], %c : !tt.tensordesc<tensor<24xi32>>, tensor<24xi32>
  tt.return
}
