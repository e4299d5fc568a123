// Loads that feed one dot share a ring; a load before the loop has a ring of its own with one slot, released after the loop. Counters of the ring
// are carried through the loop in both roles.
// RUN: tawa-opt %s --tawa-partition-roles --tawa-distribute-roles="ring-depth=3 consumer-groups=1" --canonicalize --cse -split-input-file | FileCheck %s

// CHECK-LABEL: tt.func public @two_rings
tt.func public @two_rings(%dq: !tt.tensordesc<tensor<64x32xf16>>, %db: !tt.tensordesc<tensor<32x64xf16>>,
                          %dc: !tt.tensordesc<tensor<64x64xf16>>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  // CHECK-DAG: [[ZERO:%.*]] = arith.constant 0 : i32
  // CHECK-DAG: [[ONE:%.*]] = arith.constant 1 : i32
  // CHECK: [[Q:%.*]] = tawa.create_aref : <1, [tensor<64x32xf16>]>
  // CHECK: [[B:%.*]] = tawa.create_aref : <3, [tensor<32x64xf16>]>
  // CHECK: tawa.warp_group "producer" warps(4) registers(0)
  // CHECK:   [[QT:%.*]] = tt.descriptor_load
  // CHECK:   tawa.put [[Q]]{{\[}}[[ZERO]]], [[QT]]
  // CHECK:   scf.for {{.*}} iter_args([[N:%.*]] = [[ZERO]]) -> (i32)
  // CHECK:     [[BT:%.*]] = tt.descriptor_load
  // CHECK:     tawa.put [[B]]{{\[}}[[N]]], [[BT]]
  // CHECK:     [[NEXT:%.*]] = arith.addi [[N]], [[ONE]]
  // CHECK:     scf.yield [[NEXT]]
  // CHECK: tawa.warp_group "consumer" warps(4) registers(0)
  // CHECK:   [[QG:%.*]] = tawa.get [[Q]]{{\[}}[[ZERO]]]
  // CHECK:   scf.for {{.*}} iter_args([[ACC:%.*]] = {{.*}}, [[N:%.*]] = [[ZERO]])
  // CHECK:     [[BG:%.*]] = tawa.get [[B]]{{\[}}[[N]]]
  // CHECK:     [[D:%.*]] = tt.dot [[QG]], [[BG]], [[ACC]]
  // CHECK:     tawa.consumed [[B]]{{\[}}[[N]]]
  // CHECK:     scf.yield [[D]], {{.*}}
  // CHECK:   }
  // CHECK:   tawa.consumed [[Q]]{{\[}}[[ZERO]]]
  // CHECK:   tt.descriptor_store
  %q = tt.descriptor_load %dq[%n, %c0] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
    %b = tt.descriptor_load %db[%i, %c0] : !tt.tensordesc<tensor<32x64xf16>> -> tensor<32x64xf16>
    %d = tt.dot %q, %b, %acc : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %h = arith.truncf %r : tensor<64x64xf32> to tensor<64x64xf16>
  tt.descriptor_store %dc[%n, %n], %h : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16>
  tt.return
}

// With two consumer groups the register pool is shared out: 3 groups of 168 at entry, 40 + 2 * 232 after.
// RUN: tawa-opt %s --tawa-partition-roles --tawa-distribute-roles="consumer-groups=2" -split-input-file | FileCheck %s --check-prefix=COOP
// COOP: tawa.create_aref : <4,
// COOP: tawa.warp_group "producer" warps(4) registers(40)
// COOP: tawa.warp_group "consumer" warps(8) registers(232)

// -----

// An outer loop restarts the inner one but not the ring: its counters run through both.
// CHECK-LABEL: tt.func public @nested
// CHECK: tawa.warp_group "producer"
// CHECK:   scf.for {{.*}} iter_args([[N:%.*]] = {{.*}}) -> (i32)
// CHECK:     [[INNER:%.*]] = scf.for {{.*}} iter_args([[M:%.*]] = [[N]]) -> (i32)
// CHECK:       tawa.put {{.*}}{{\[}}[[M]]]
// CHECK:     scf.yield [[INNER]]
// CHECK: tawa.warp_group "consumer"
// CHECK:   scf.for {{.*}} iter_args([[N:%.*]] = {{.*}}) -> (i32)
// CHECK:     [[INNER:%.*]]:2 = scf.for {{.*}} iter_args({{.*}}, [[M:%.*]] = [[N]])
// CHECK:       tawa.get {{.*}}{{\[}}[[M]]]
// CHECK:     tt.descriptor_store
// CHECK:     scf.yield [[INNER]]#1
tt.func public @nested(%d: !tt.tensordesc<tensor<64x64xf16>>, %o: !tt.tensordesc<tensor<64x64xf16>>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  scf.for %t = %c0 to %n step %c1 : i32 {
    %r = scf.for %i = %c0 to %t step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
      %b = tt.descriptor_load %d[%i, %c0] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      %x = tt.dot %b, %b, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %x : tensor<64x64xf32>
    }
    %h = arith.truncf %r : tensor<64x64xf32> to tensor<64x64xf16>
    tt.descriptor_store %o[%t, %n], %h : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16>
  }
  tt.return
}
