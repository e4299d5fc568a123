// Panels of tile stores, 32 KiB, leave room for one slot of 72 KiB beside the tile that is loaded once. In its place there is room
// for two: the slot is released after the store. Where one slot is asked for, panels have room of their own.
// RUN: tawa-opt %s --tawa-partition-roles="ring-depth=0" -split-input-file | FileCheck %s
// RUN: tawa-opt %s --tawa-partition-roles="ring-depth=0" --tawa-distribute-roles -split-input-file | FileCheck %s --check-prefix=ROLES
// RUN: tawa-opt %s --tawa-partition-roles="ring-depth=2" -split-input-file | FileCheck %s --check-prefix=GIVEN
// RUN: tawa-opt %s --tawa-partition-roles="ring-depth=1" -split-input-file | FileCheck %s --check-prefix=ONE

// CHECK: tt.func public @lent
// CHECK-SAME: tawa.ring_depth = 2 : i32
// CHECK: tt.descriptor_load {{.*}}tawa.stages_stores{{.*}}tensor<64x512xf16>
// CHECK-NOT: tawa.stages_stores
// GIVEN: tt.descriptor_load {{.*}}tawa.stages_stores{{.*}}tensor<64x512xf16>
// ONE-NOT: tawa.stages_stores

// ROLES: %[[LENT:.*]] = tawa.create_aref {tawa.stages_stores} : <1, [tensor<64x512xf16>]>
// ROLES: tawa.warp_group producer
// ROLES-NOT: tawa.stages_stores
// ROLES: tawa.warp_group consumer
// ROLES: tawa.get %[[LENT]]
// ROLES: tt.descriptor_store
// ROLES-NEXT: tawa.consumed %[[LENT]]
tt.func public @lent(%dq: !tt.tensordesc<tensor<64x512xf16>>, %dk: !tt.tensordesc<tensor<64x512xf16>>,
                     %dv: !tt.tensordesc<tensor<64x64xf16>>, %do: !tt.tensordesc<tensor<64x64xf16>>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %q = tt.descriptor_load %dq[%c0, %c0] : !tt.tensordesc<tensor<64x512xf16>> -> tensor<64x512xf16>
  %r = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
    %k = tt.descriptor_load %dk[%i, %c0] : !tt.tensordesc<tensor<64x512xf16>> -> tensor<64x512xf16>
    %kt = tt.trans %k {order = array<i32: 1, 0>} : tensor<64x512xf16> -> tensor<512x64xf16>
    %s = tt.dot %q, %kt, %zero : tensor<64x512xf16> * tensor<512x64xf16> -> tensor<64x64xf32>
    %p = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xf16>
    %v = tt.descriptor_load %dv[%i, %c0] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
    %o = tt.dot %p, %v, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %o : tensor<64x64xf32>
  }
  %h = arith.truncf %r : tensor<64x64xf32> to tensor<64x64xf16>
  tt.descriptor_store %do[%c0, %c0], %h : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16>
  tt.return
}

// -----

// A program without keys stores nothing: readers and store have the condition, and the slot is released after it.
// CHECK: tt.func public @under_condition
// CHECK-SAME: tawa.ring_depth = 2 : i32
// CHECK: tt.descriptor_load {{.*}}tawa.stages_stores{{.*}}tensor<64x512xf16>
// ROLES: %[[LENT:.*]] = tawa.create_aref {tawa.stages_stores} : <1, [tensor<64x512xf16>]>
// ROLES: tawa.warp_group consumer
// ROLES: tawa.get %[[LENT]]
// ROLES: scf.if
// ROLES:   tt.descriptor_store
// ROLES: } else {
// ROLES: tawa.consumed %[[LENT]]
tt.func public @under_condition(%dq: !tt.tensordesc<tensor<64x512xf16>>, %dk: !tt.tensordesc<tensor<64x512xf16>>,
                                %dv: !tt.tensordesc<tensor<64x64xf16>>, %do: !tt.tensordesc<tensor<64x64xf16>>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %q = tt.descriptor_load %dq[%c0, %c0] : !tt.tensordesc<tensor<64x512xf16>> -> tensor<64x512xf16>
  %some = arith.cmpi sgt, %n, %c0 : i32
  scf.if %some {
    %r = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
      %k = tt.descriptor_load %dk[%i, %c0] : !tt.tensordesc<tensor<64x512xf16>> -> tensor<64x512xf16>
      %kt = tt.trans %k {order = array<i32: 1, 0>} : tensor<64x512xf16> -> tensor<512x64xf16>
      %s = tt.dot %q, %kt, %zero : tensor<64x512xf16> * tensor<512x64xf16> -> tensor<64x64xf32>
      %p = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xf16>
      %v = tt.descriptor_load %dv[%i, %c0] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      %o = tt.dot %p, %v, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %o : tensor<64x64xf32>
    }
    %h = arith.truncf %r : tensor<64x64xf32> to tensor<64x64xf16>
    tt.descriptor_store %do[%c0, %c0], %h : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16>
  }
  tt.return
}

// -----

// Here the next round of the loop around the store reads the tile again.
// CHECK: tt.func public @read_again
// CHECK-NOT: tawa.stages_stores
// ROLES-NOT: tawa.stages_stores
tt.func public @read_again(%dq: !tt.tensordesc<tensor<64x512xf16>>, %dk: !tt.tensordesc<tensor<64x512xf16>>,
                           %dv: !tt.tensordesc<tensor<64x64xf16>>, %do: !tt.tensordesc<tensor<64x64xf16>>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %q = tt.descriptor_load %dq[%c0, %c0] : !tt.tensordesc<tensor<64x512xf16>> -> tensor<64x512xf16>
  scf.for %j = %c0 to %n step %c1 : i32 {
    %r = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
      %k = tt.descriptor_load %dk[%i, %c0] : !tt.tensordesc<tensor<64x512xf16>> -> tensor<64x512xf16>
      %kt = tt.trans %k {order = array<i32: 1, 0>} : tensor<64x512xf16> -> tensor<512x64xf16>
      %s = tt.dot %q, %kt, %zero : tensor<64x512xf16> * tensor<512x64xf16> -> tensor<64x64xf32>
      %p = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xf16>
      %v = tt.descriptor_load %dv[%i, %c0] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      %o = tt.dot %p, %v, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %o : tensor<64x64xf32>
    }
    %h = arith.truncf %r : tensor<64x64xf32> to tensor<64x64xf16>
    tt.descriptor_store %do[%j, %c0], %h : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16>
  }
  tt.return
}
