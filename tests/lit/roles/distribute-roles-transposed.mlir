// Tiles that wgmma cannot read as they are loaded travel through a role that transposes them.
// RUN: tawa-opt %s --split-input-file --tawa-specialize-arguments --tawa-partition-roles --tawa-distribute-roles='ring-depth=4' --canonicalize --cse | FileCheck %s
// RUN: tawa-opt --mlir-pass-statistics %s --split-input-file --tawa-specialize-arguments --tawa-partition-roles --tawa-distribute-roles='ring-depth=4' --canonicalize --cse -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-distribute-roles{{$}}
// COUNTS: {{^ *}}6 num-rings:
// COUNTS: {{^ *}}7 num-roles:
// COUNTS: {{^ *}}1 num-transposed:

// A, with K innermost, stays in the slots that TMA fills. B goes from a ring of its own to another one, through a converter that counts
// puts and gets for itself.
// CHECK-LABEL: tt.func public @outer
// CHECK: [[A:%.*]] = tawa.create_aref : <4, [tensor<128x64xf8E4M3FN>]>
// CHECK: [[RAW:%.*]] = tawa.create_aref : <4, [tensor<64x128xf8E4M3FN>]>
// CHECK: [[TURNED:%.*]] = tawa.create_aref : <4, [tensor<64x128xf8E4M3FN>]>
// CHECK: tawa.warp_group producer warps(4) registers(32)
// CHECK: tawa.put [[A]]
// CHECK: tawa.put [[RAW]]
// CHECK-NOT: [[TURNED]]
// CHECK: tawa.warp_group converter warps(4) registers(48)
// CHECK-NOT: tt.descriptor_load
// CHECK: scf.for {{.*}} iter_args([[N:%.*]] = {{.*}}, [[M:%.*]] = {{.*}})
// CHECK: [[T:%.*]] = tawa.get [[RAW]][[[N]]]
// CHECK-NEXT: tawa.put [[TURNED]][[[M]]], [[T]]
// CHECK-NEXT: tawa.consumed [[RAW]][[[N]]]
// CHECK: tawa.warp_group consumer warps(8) registers(216)
// CHECK-NOT: [[RAW]]
// CHECK: [[LEFT:%.*]] = tawa.get [[A]]
// CHECK: [[RIGHT:%.*]] = tawa.get [[TURNED]]
// CHECK: tt.dot [[LEFT]], [[RIGHT]]
// CHECK-DAG: tawa.consumed [[A]]
// CHECK-DAG: tawa.consumed [[TURNED]]
module {
  tt.func public @outer(%a: !tt.tensordesc<tensor<128x64xf8E4M3FN>>, %a0: i32, %a1: i32, %a2: i64, %a3: i64,
                        %b: !tt.tensordesc<tensor<64x128xf8E4M3FN>>, %b0: i32, %b1: i32, %b2: i64, %b3: i64,
                        %c: !tt.tensordesc<tensor<128x128xf32>>, %c0: i32, %c1: i32, %c2: i64, %c3: i64, %K: i32) {
    %zero = arith.constant 0 : i32
    %step = arith.constant 64 : i32
    %none = arith.constant dense<0.0> : tensor<128x128xf32>
    %sum = scf.for %k = %zero to %K step %step iter_args(%acc = %none) -> (tensor<128x128xf32>) : i32 {
      %x = tt.descriptor_load %a[%zero, %k] : !tt.tensordesc<tensor<128x64xf8E4M3FN>> -> tensor<128x64xf8E4M3FN>
      %y = tt.descriptor_load %b[%k, %zero] : !tt.tensordesc<tensor<64x128xf8E4M3FN>> -> tensor<64x128xf8E4M3FN>
      %d = tt.dot %x, %y, %acc {maxNumImpreciseAcc = 1073741824 : i32} : tensor<128x64xf8E4M3FN> * tensor<64x128xf8E4M3FN> -> tensor<128x128xf32>
      scf.yield %d : tensor<128x128xf32>
    }
    tt.descriptor_store %c[%zero, %zero], %sum : !tt.tensordesc<tensor<128x128xf32>>, tensor<128x128xf32>
    tt.return
  }
}

// -----

// B with K innermost is read transposed as it is; so are 16 bits in either order.
// CHECK-LABEL: tt.func public @inner
// CHECK-NOT: warp_group converter
// CHECK: tawa.warp_group consumer warps(8) registers(232)
module {
  tt.func public @inner(%a: !tt.tensordesc<tensor<128x64xf8E4M3FN>>, %a0: i32, %a1: i32, %a2: i64, %a3: i64,
                        %b: !tt.tensordesc<tensor<128x64xf8E4M3FN>>, %b0: i32, %b1: i32, %b2: i64, %b3: i64,
                        %h: !tt.tensordesc<tensor<64x128xf16>>, %h0: i32, %h1: i32, %h2: i64, %h3: i64,
                        %g: !tt.tensordesc<tensor<128x64xf16>>, %g0: i32, %g1: i32, %g2: i64, %g3: i64,
                        %c: !tt.tensordesc<tensor<128x128xf32>>, %c0: i32, %c1: i32, %c2: i64, %c3: i64, %K: i32) {
    %zero = arith.constant 0 : i32
    %step = arith.constant 64 : i32
    %none = arith.constant dense<0.0> : tensor<128x128xf32>
    %sum = scf.for %k = %zero to %K step %step iter_args(%acc = %none) -> (tensor<128x128xf32>) : i32 {
      %x = tt.descriptor_load %a[%zero, %k] : !tt.tensordesc<tensor<128x64xf8E4M3FN>> -> tensor<128x64xf8E4M3FN>
      %y = tt.descriptor_load %b[%zero, %k] : !tt.tensordesc<tensor<128x64xf8E4M3FN>> -> tensor<128x64xf8E4M3FN>
      %t = tt.trans %y {order = array<i32: 1, 0>} : tensor<128x64xf8E4M3FN> -> tensor<64x128xf8E4M3FN>
      %d = tt.dot %x, %t, %acc {maxNumImpreciseAcc = 1073741824 : i32} : tensor<128x64xf8E4M3FN> * tensor<64x128xf8E4M3FN> -> tensor<128x128xf32>
      %p = tt.descriptor_load %g[%zero, %k] : !tt.tensordesc<tensor<128x64xf16>> -> tensor<128x64xf16>
      %q = tt.descriptor_load %h[%k, %zero] : !tt.tensordesc<tensor<64x128xf16>> -> tensor<64x128xf16>
      %e = tt.dot %p, %q, %d : tensor<128x64xf16> * tensor<64x128xf16> -> tensor<128x128xf32>
      scf.yield %e : tensor<128x128xf32>
    }
    tt.descriptor_store %c[%zero, %zero], %sum : !tt.tensordesc<tensor<128x128xf32>>, tensor<128x128xf32>
    tt.return
  }
}

// -----

// Sums of 256 columns and a role more: ptxas has 128 registers for an instruction that takes 154. The consumers transpose B.
// CHECK-LABEL: tt.func public @wide
// CHECK-NOT: warp_group converter
// CHECK: tawa.warp_group consumer warps(8) registers(232)
module {
  tt.func public @wide(%a: !tt.tensordesc<tensor<128x64xf8E4M3FN>>, %a0: i32, %a1: i32, %a2: i64, %a3: i64,
                       %b: !tt.tensordesc<tensor<64x256xf8E4M3FN>>, %b0: i32, %b1: i32, %b2: i64, %b3: i64,
                       %c: !tt.tensordesc<tensor<128x256xf32>>, %c0: i32, %c1: i32, %c2: i64, %c3: i64, %K: i32) {
    %zero = arith.constant 0 : i32
    %step = arith.constant 64 : i32
    %none = arith.constant dense<0.0> : tensor<128x256xf32>
    %sum = scf.for %k = %zero to %K step %step iter_args(%acc = %none) -> (tensor<128x256xf32>) : i32 {
      %x = tt.descriptor_load %a[%zero, %k] : !tt.tensordesc<tensor<128x64xf8E4M3FN>> -> tensor<128x64xf8E4M3FN>
      %y = tt.descriptor_load %b[%k, %zero] : !tt.tensordesc<tensor<64x256xf8E4M3FN>> -> tensor<64x256xf8E4M3FN>
      %d = tt.dot %x, %y, %acc {maxNumImpreciseAcc = 1073741824 : i32} : tensor<128x64xf8E4M3FN> * tensor<64x256xf8E4M3FN> -> tensor<128x256xf32>
      scf.yield %d : tensor<128x256xf32>
    }
    tt.descriptor_store %c[%zero, %zero], %sum : !tt.tensordesc<tensor<128x256xf32>>, tensor<128x256xf32>
    tt.return
  }
}
