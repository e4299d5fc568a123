// A loop that only computes where a tile lies is cloned for the tiles of other groups, too, since other scalars follow from it.
// RUN: tawa-opt %s --tawa-specialize-arguments --tawa-make-persistent=groups=2 --tawa-partition-roles --tawa-distribute-roles | FileCheck %s

// CHECK-LABEL: @scalar_loop
// CHECK: tawa.warp_group consumer warps(4)
// CHECK:   tawa.pingpong_wait 0
// CHECK: } else {
// CHECK:   %[[PLACE:.*]] = scf.for
// CHECK:   arith.muli %[[PLACE]], %{{.*}} : i32
// CHECK: tawa.warp_group consumer warps(4)
tt.func public @scalar_loop(%a: !tt.tensordesc<tensor<64x64xf16>>, %c: !tt.tensordesc<tensor<64x64xf16>>, %k: i32, %n: i32) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %program = tt.get_program_id x : i32
  %place = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %program) -> (i32) : i32 {
    %shifted = arith.shrsi %sum, %c1 : i32
    %next = arith.addi %shifted, %i : i32
    scf.yield %next : i32
  }
  %row = arith.muli %place, %c64 : i32
  %s = scf.for %i = %c0 to %k step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
    %t = tt.descriptor_load %a[%row, %i] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
    %d = tt.dot %t, %t, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %r = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xf16>
  tt.descriptor_store %c[%row, %c0], %r : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16>
  tt.return
}
