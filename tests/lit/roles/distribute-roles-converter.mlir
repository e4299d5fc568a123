// A converter gets tiles from the producer, and puts what it computes of them into a ring of its own.
// RUN: tawa-opt %s --tawa-specialize-arguments --tawa-partition-roles='consumer-groups=1 converter-groups=1 ring-depth=2' --tawa-distribute-roles='ring-depth=2 consumer-groups=1 converter-groups=1' --canonicalize --cse | FileCheck %s
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-specialize-arguments --tawa-partition-roles='consumer-groups=1 converter-groups=1 ring-depth=2' --tawa-distribute-roles='ring-depth=2 consumer-groups=1 converter-groups=1' -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-distribute-roles{{$}}
// COUNTS: {{^ *}}3 num-rings:
// COUNTS: {{^ *}}3 num-roles:

// CHECK-LABEL: tt.func public @weights
// CHECK: [[A:%.*]] = tawa.create_aref : <2, [tensor<64x64xf16>]>
// CHECK: [[RAW:%.*]] = tawa.create_aref : <2, [tensor<64x128xi8>]>
// CHECK: [[MADE:%.*]] = tawa.create_aref : <2, [tensor<64x128xf16>]>
// CHECK: tawa.warp_group producer warps(4) registers(32)
// CHECK-NOT: arith.sitofp
// CHECK: tawa.put [[A]]
// CHECK: tawa.put [[RAW]]
// CHECK: tawa.warp_group converter warps(4)
// CHECK-NOT: tt.descriptor_load
// CHECK: scf.for {{.*}} iter_args([[N:%.*]] = {{.*}}, [[M:%.*]] = {{.*}})
// CHECK: [[T:%.*]] = tawa.get [[RAW]][[[N]]]
// CHECK: [[H:%.*]] = arith.sitofp [[T]]
// CHECK-NEXT: tawa.put [[MADE]][[[M]]], [[H]]
// CHECK: tawa.consumed [[RAW]][[[N]]]
// CHECK: tawa.warp_group consumer warps(4)
// CHECK-NOT: [[RAW]]
// CHECK: [[LEFT:%.*]] = tawa.get [[A]]
// CHECK: [[RIGHT:%.*]] = tawa.get [[MADE]]
// CHECK: tt.dot [[LEFT]], [[RIGHT]]
module {
  tt.func public @weights(%a: !tt.tensordesc<tensor<64x64xf16>>, %a0: i32, %a1: i32, %a2: i64, %a3: i64,
                        %b: !tt.tensordesc<tensor<64x128xi8>>, %b0: i32, %b1: i32, %b2: i64, %b3: i64,
                        %c: !tt.tensordesc<tensor<64x128xf32>>, %c0: i32, %c1: i32, %c2: i64, %c3: i64, %K: i32) {
    %zero = arith.constant 0 : i32
    %step = arith.constant 64 : i32
    %none = arith.constant dense<0.0> : tensor<64x128xf32>
    %sum = scf.for %k = %zero to %K step %step iter_args(%acc = %none) -> (tensor<64x128xf32>) : i32 {
      %x = tt.descriptor_load %a[%zero, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      %y = tt.descriptor_load %b[%k, %zero] : !tt.tensordesc<tensor<64x128xi8>> -> tensor<64x128xi8>
      %h = arith.sitofp %y : tensor<64x128xi8> to tensor<64x128xf16>
      %d = tt.dot %x, %h, %acc : tensor<64x64xf16> * tensor<64x128xf16> -> tensor<64x128xf32>
      scf.yield %d : tensor<64x128xf32>
    }
    tt.descriptor_store %c[%zero, %zero], %sum : !tt.tensordesc<tensor<64x128xf32>>, tensor<64x128xf32>
    tt.return
  }
}
