// A loop-invariant A operand is loaded to registers once, and its slot released before the loop.
// RUN: tawa-opt %s --tawa-pipeline-stages --tawa-pipeline-dots --tawa-assign-layouts --tawa-promote-operands-to-registers -split-input-file 2>/dev/null | FileCheck %s
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-pipeline-stages --tawa-pipeline-dots --tawa-assign-layouts --tawa-promote-operands-to-registers -split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-promote-operands-to-registers{{$}}
// COUNTS: {{^ *}}12 num-kept:
// COUNTS-NEXT: 11 not only dots of loops that tawa-pipeline-stages rotated read it, as A
// COUNTS-NEXT: 1 the registers do not suffice for it beside what the loop carries
// COUNTS: {{^ *}}1 num-operands:

// CHECK-LABEL: tt.func private @held
// CHECK: [[Q:%.*]] = tawa.get
// CHECK-NEXT: [[A:%.*]] = tawa.from_shared [[Q]]
// CHECK-NEXT: tawa.consumed
// CHECK: tawa.dot_issue [[A]],
// CHECK: scf.for
// CHECK: tawa.dot_issue [[A]],
// CHECK-NOT: tawa.from_shared
tt.func private @held(%n: i32, %d: !tt.tensordesc<tensor<64x64xf32>>) {
  %once = tawa.create_aref : !tawa.aref<1, [tensor<64x64xf16>]>
  %keys = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  %values = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  tawa.warp_group consumer warps(4) registers(232) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %q = tawa.get %once[%c0] : !tawa.aref<1, [tensor<64x64xf16>]> -> tensor<64x64xf16>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %count = %c0) -> (tensor<64x64xf32>, i32) : i32 {
      %k = tawa.get %keys[%count] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      %next = arith.addi %count, %c1 : i32
      %s = tt.dot %q, %k, %zero : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      tawa.consumed %keys[%count] : !tawa.aref<2, [tensor<64x64xf16>]>
      %v = tawa.get %values[%count] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      %a = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xf16>
      %o = tt.dot %a, %v, %sum : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      tawa.consumed %values[%count] : !tawa.aref<2, [tensor<64x64xf16>]>
      scf.yield %o, %next : tensor<64x64xf32>, i32
    }
    tawa.consumed %once[%c0] : !tawa.aref<1, [tensor<64x64xf16>]>
    tt.descriptor_store %d[%n, %n], %r#0 : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
  }
  tt.return
}

// -----

// Beside two sums of 32 registers and what crosses from one iteration to the next, 128 of A do not fit 232.
// CHECK-LABEL: tt.func private @too_large
// CHECK-NOT: tawa.from_shared
tt.func private @too_large(%n: i32, %d: !tt.tensordesc<tensor<64x64xf32>>) {
  %once = tawa.create_aref : !tawa.aref<1, [tensor<64x512xf16>]>
  %keys = tawa.create_aref : !tawa.aref<2, [tensor<512x64xf16>]>
  %values = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  tawa.warp_group consumer warps(4) registers(232) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %q = tawa.get %once[%c0] : !tawa.aref<1, [tensor<64x512xf16>]> -> tensor<64x512xf16>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %count = %c0) -> (tensor<64x64xf32>, i32) : i32 {
      %k = tawa.get %keys[%count] : !tawa.aref<2, [tensor<512x64xf16>]> -> tensor<512x64xf16>
      %next = arith.addi %count, %c1 : i32
      %s = tt.dot %q, %k, %zero : tensor<64x512xf16> * tensor<512x64xf16> -> tensor<64x64xf32>
      tawa.consumed %keys[%count] : !tawa.aref<2, [tensor<512x64xf16>]>
      %v = tawa.get %values[%count] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      %a = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xf16>
      %o = tt.dot %a, %v, %sum : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      tawa.consumed %values[%count] : !tawa.aref<2, [tensor<64x64xf16>]>
      scf.yield %o, %next : tensor<64x64xf32>, i32
    }
    tawa.consumed %once[%c0] : !tawa.aref<1, [tensor<64x512xf16>]>
    tt.descriptor_store %d[%n, %n], %r#0 : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
  }
  tt.return
}

// -----

// Where each dot is waited for at once, the tile stays in its slot.
// CHECK-LABEL: tt.func private @in_turn
// CHECK-NOT: tawa.from_shared
tt.func private @in_turn(%n: i32, %d: !tt.tensordesc<tensor<64x64xf32>>) {
  %once = tawa.create_aref : !tawa.aref<1, [tensor<64x64xf16>]>
  %keys = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  %values = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  tawa.warp_group consumer warps(4) registers(232) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %q = tawa.get %once[%c0] : !tawa.aref<1, [tensor<64x64xf16>]> -> tensor<64x64xf16>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %count = %c0) -> (tensor<64x64xf32>, i32) : i32 {
      %k = tawa.get %keys[%count] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      %next = arith.addi %count, %c1 : i32
      %s = tt.dot %q, %k, %sum : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      tawa.consumed %keys[%count] : !tawa.aref<2, [tensor<64x64xf16>]>
      %both = arith.addf %s, %sum : tensor<64x64xf32>
      %v = tawa.get %values[%count] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      %a = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xf16>
      %o = tt.dot %a, %v, %both : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      tawa.consumed %values[%count] : !tawa.aref<2, [tensor<64x64xf16>]>
      scf.yield %o, %next : tensor<64x64xf32>, i32
    }
    tawa.consumed %once[%c0] : !tawa.aref<1, [tensor<64x64xf16>]>
    tt.descriptor_store %d[%n, %n], %r#0 : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
  }
  tt.return
}
