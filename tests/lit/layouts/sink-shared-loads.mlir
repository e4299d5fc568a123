// Loads from slots are sunk past dot waits under register pressure, and releases past their readers.
// RUN: tawa-opt %s --tawa-pipeline-dots --tawa-assign-layouts --tawa-sink-shared-loads -split-input-file 2>/dev/null | FileCheck %s
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-pipeline-dots --tawa-assign-layouts --tawa-sink-shared-loads -split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-sink-shared-loads{{$}}
// COUNTS: {{^ *}}1 num-delayed:
// COUNTS: {{^ *}}1 num-kept:
// COUNTS-NEXT: 1 the registers suffice for it beside the products

// Two sums of 64 registers and one of 32 leave none for the 32 of the row.
// CHECK-LABEL: tt.func private @crowded
// CHECK: tawa.dot_issue
// CHECK: tawa.dot_issue
// CHECK-NOT: tawa.from_shared
// CHECK: tawa.dot_wait
// CHECK: [[ROW:%.*]] = tawa.from_shared
// CHECK-NEXT: [[ALL:%.*]] = tt.broadcast [[ROW]]
// CHECK-NEXT: arith.subf %{{.*}}, [[ALL]]
// CHECK-NEXT: tawa.consumed
// CHECK-NEXT: math.exp2
tt.func private @crowded(%n: i32, %d: !tt.tensordesc<tensor<64x64xf32>>) {
  %rows = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  %keys = tawa.create_aref : !tawa.aref<2, [tensor<64x128xf16>]>
  %sums = tawa.create_aref : !tawa.aref<2, [tensor<1x128xf32>]>
  %values = tawa.create_aref : !tawa.aref<2, [tensor<128x64xf16>]>
  tawa.warp_group consumer warps(4) registers(232) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<64x128xf32>
    %nothing = arith.constant dense<0.0> : tensor<64x64xf32>
    %q = tawa.get %rows[%c0] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %nothing, %count = %c0) -> (tensor<64x64xf32>, i32) : i32 {
      %k = tawa.get %keys[%count] : !tawa.aref<2, [tensor<64x128xf16>]> -> tensor<64x128xf16>
      %v = tawa.get %values[%count] : !tawa.aref<2, [tensor<128x64xf16>]> -> tensor<128x64xf16>
      %l = tawa.get %sums[%count] : !tawa.aref<2, [tensor<1x128xf32>]> -> tensor<1x128xf32>
      %next = arith.addi %count, %c1 : i32
      %s = tt.dot %q, %k, %zero : tensor<64x64xf16> * tensor<64x128xf16> -> tensor<64x128xf32>
      %t = tt.dot %q, %k, %zero : tensor<64x64xf16> * tensor<64x128xf16> -> tensor<64x128xf32>
      %all = tt.broadcast %l : tensor<1x128xf32> -> tensor<64x128xf32>
      tawa.consumed %sums[%count] : !tawa.aref<2, [tensor<1x128xf32>]>
      %less = arith.subf %s, %all : tensor<64x128xf32>
      %e = math.exp2 %less : tensor<64x128xf32>
      %p = arith.mulf %e, %t : tensor<64x128xf32>
      %a = arith.truncf %p : tensor<64x128xf32> to tensor<64x128xf16>
      %o = tt.dot %a, %v, %sum : tensor<64x128xf16> * tensor<128x64xf16> -> tensor<64x64xf32>
      tawa.consumed %keys[%count] : !tawa.aref<2, [tensor<64x128xf16>]>
      tawa.consumed %values[%count] : !tawa.aref<2, [tensor<128x64xf16>]>
      scf.yield %o, %next : tensor<64x64xf32>, i32
    }
    tawa.consumed %rows[%c0] : !tawa.aref<2, [tensor<64x64xf16>]>
    tt.descriptor_store %d[%n, %n], %r#0 : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
  }
  tt.return
}

// -----

// Half as wide, everything fits and is read ahead.
// CHECK-LABEL: tt.func private @roomy
// CHECK: tawa.from_shared
// CHECK: tawa.consumed
// CHECK: tawa.dot_wait
tt.func private @roomy(%n: i32, %d: !tt.tensordesc<tensor<64x64xf32>>) {
  %rows = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  %keys = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  %sums = tawa.create_aref : !tawa.aref<2, [tensor<1x64xf32>]>
  %values = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  tawa.warp_group consumer warps(4) registers(232) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %nothing = arith.constant dense<0.0> : tensor<64x64xf32>
    %q = tawa.get %rows[%c0] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %nothing, %count = %c0) -> (tensor<64x64xf32>, i32) : i32 {
      %k = tawa.get %keys[%count] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      %v = tawa.get %values[%count] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      %l = tawa.get %sums[%count] : !tawa.aref<2, [tensor<1x64xf32>]> -> tensor<1x64xf32>
      %next = arith.addi %count, %c1 : i32
      %s = tt.dot %q, %k, %zero : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      %t = tt.dot %q, %k, %zero : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      %all = tt.broadcast %l : tensor<1x64xf32> -> tensor<64x64xf32>
      tawa.consumed %sums[%count] : !tawa.aref<2, [tensor<1x64xf32>]>
      %less = arith.subf %s, %all : tensor<64x64xf32>
      %e = math.exp2 %less : tensor<64x64xf32>
      %p = arith.mulf %e, %t : tensor<64x64xf32>
      %a = arith.truncf %p : tensor<64x64xf32> to tensor<64x64xf16>
      %o = tt.dot %a, %v, %sum : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      tawa.consumed %keys[%count] : !tawa.aref<2, [tensor<64x64xf16>]>
      tawa.consumed %values[%count] : !tawa.aref<2, [tensor<64x64xf16>]>
      scf.yield %o, %next : tensor<64x64xf32>, i32
    }
    tawa.consumed %rows[%c0] : !tawa.aref<2, [tensor<64x64xf16>]>
    tt.descriptor_store %d[%n, %n], %r#0 : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
  }
  tt.return
}
