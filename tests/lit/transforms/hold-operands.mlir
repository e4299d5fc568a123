// A tile that every iteration multiplies is read to registers once, and its slot given back before the loop.
// RUN: tawa-opt %s --tawa-pipeline-dots --tawa-assign-layouts --tawa-hold-operands -split-input-file 2>/dev/null | FileCheck %s

// CHECK-LABEL: tt.func private @held
// CHECK: [[Q:%.*]] = tawa.get
// CHECK-NEXT: [[A:%.*]] = tawa.from_shared [[Q]]
// CHECK-NEXT: tawa.consumed
// CHECK: scf.for
// CHECK: tawa.dot_issue [[A]],
// CHECK-NOT: tawa.from_shared
tt.func private @held(%zero: tensor<64x64xf32>, %n: i32, %d: !tt.tensordesc<tensor<64x64xf32>>) {
  %once = tawa.create_aref : !tawa.aref<1, [tensor<64x64xf16>]>
  %ring = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  tawa.warp_group "consumer" warps(4) registers(232) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %init = arith.constant dense<0.0> : tensor<64x64xf32>
    %q = tawa.get %once[%c0] : !tawa.aref<1, [tensor<64x64xf16>]> -> tensor<64x64xf16>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init, %count = %c0) -> (tensor<64x64xf32>, i32) : i32 {
      %t = tawa.get %ring[%count] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      %next = arith.addi %count, %c1 : i32
      %o = tt.dot %q, %t, %sum : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      tawa.consumed %ring[%count] : !tawa.aref<2, [tensor<64x64xf16>]>
      scf.yield %o, %next : tensor<64x64xf32>, i32
    }
    tawa.consumed %once[%c0] : !tawa.aref<1, [tensor<64x64xf16>]>
    tt.descriptor_store %d[%n, %n], %r#0 : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
  }
  tt.return
}

// -----

// With 128 registers of sums and 128 of A there is no room in 232 for the rest.
// CHECK-LABEL: tt.func private @too_large
// CHECK-NOT: tawa.from_shared
tt.func private @too_large(%n: i32, %d: !tt.tensordesc<tensor<64x256xf32>>) {
  %once = tawa.create_aref : !tawa.aref<1, [tensor<64x512xf16>]>
  %ring = tawa.create_aref : !tawa.aref<1, [tensor<512x256xf16>]>
  tawa.warp_group "consumer" warps(4) registers(232) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %init = arith.constant dense<0.0> : tensor<64x256xf32>
    %q = tawa.get %once[%c0] : !tawa.aref<1, [tensor<64x512xf16>]> -> tensor<64x512xf16>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init, %count = %c0) -> (tensor<64x256xf32>, i32) : i32 {
      %t = tawa.get %ring[%count] : !tawa.aref<1, [tensor<512x256xf16>]> -> tensor<512x256xf16>
      %next = arith.addi %count, %c1 : i32
      %o = tt.dot %q, %t, %sum : tensor<64x512xf16> * tensor<512x256xf16> -> tensor<64x256xf32>
      tawa.consumed %ring[%count] : !tawa.aref<1, [tensor<512x256xf16>]>
      scf.yield %o, %next : tensor<64x256xf32>, i32
    }
    tawa.consumed %once[%c0] : !tawa.aref<1, [tensor<64x512xf16>]>
    tt.descriptor_store %d[%n, %n], %r#0 : !tt.tensordesc<tensor<64x256xf32>>, tensor<64x256xf32>
  }
  tt.return
}
