// An operand that is computed from tiles of its own loop alone is a converter's, if one is asked for.
// RUN: tawa-opt %s --split-input-file --tawa-specialize-arguments --tawa-partition-roles='consumer-groups=1 converter-groups=1 ring-depth=2' 2>/dev/null | FileCheck %s

// The tile that it reads has another channel than the other operand, and what it computes a third one.
// CHECK-LABEL: tt.func public @weights
// CHECK: tt.descriptor_load %{{.*}} {tawa.channel = 0 : i32, tawa.roles = #tawa.roles<producer>}
// CHECK: tt.descriptor_load %{{.*}} {tawa.channel = 1 : i32, tawa.roles = #tawa.roles<producer, converter>}
// CHECK: arith.sitofp %{{.*}} {tawa.channel = 2 : i32, tawa.roles = #tawa.roles<converter>}
// CHECK: tt.dot %{{.*}} {tawa.roles = #tawa.roles<consumer>}
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

// -----

// Two groups that share the columns of 64 rows: each product has half of 256, which leaves registers for a converter.
// RUN: tawa-opt %s --split-input-file --tawa-specialize-arguments --tawa-partition-roles='consumer-groups=2 converter-groups=1 ring-depth=2' 2>/dev/null | FileCheck %s --check-prefix=TWO
// TWO-LABEL: tt.func public @wide
// TWO: arith.sitofp %{{.*}} {tawa.channel = 2 : i32, tawa.roles = #tawa.roles<converter>}
// CHECK-LABEL: tt.func public @wide
module {
  tt.func public @wide(%a: !tt.tensordesc<tensor<64x64xf16>>, %a0: i32, %a1: i32, %a2: i64, %a3: i64,
                       %b: !tt.tensordesc<tensor<64x256xi8>>, %b0: i32, %b1: i32, %b2: i64, %b3: i64,
                       %c: !tt.tensordesc<tensor<64x256xf32>>, %c0: i32, %c1: i32, %c2: i64, %c3: i64, %K: i32) {
    %zero = arith.constant 0 : i32
    %step = arith.constant 64 : i32
    %none = arith.constant dense<0.0> : tensor<64x256xf32>
    %sum = scf.for %k = %zero to %K step %step iter_args(%acc = %none) -> (tensor<64x256xf32>) : i32 {
      %x = tt.descriptor_load %a[%zero, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      %y = tt.descriptor_load %b[%k, %zero] : !tt.tensordesc<tensor<64x256xi8>> -> tensor<64x256xi8>
      %h = arith.sitofp %y : tensor<64x256xi8> to tensor<64x256xf16>
      %d = tt.dot %x, %h, %acc : tensor<64x64xf16> * tensor<64x256xf16> -> tensor<64x256xf32>
      scf.yield %d : tensor<64x256xf32>
    }
    tt.descriptor_store %c[%zero, %zero], %sum : !tt.tensordesc<tensor<64x256xf32>>, tensor<64x256xf32>
    tt.return
  }
}

// -----

// Where consumers need the tile, too, they compute the operand.
// CHECK: tawa.not_applied = {converters = "no product that wgmma takes has an operand that is computed from tiles of its own loop alone
// CHECK-LABEL: tt.func public @read_by_both
// TWO-LABEL: tt.func public @read_by_both
// CHECK: arith.sitofp %{{.*}} {tawa.roles = #tawa.roles<consumer>}
module {
  tt.func public @read_by_both(%a: !tt.tensordesc<tensor<64x64xf16>>, %a0: i32, %a1: i32, %a2: i64, %a3: i64,
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
      %f = arith.sitofp %y : tensor<64x128xi8> to tensor<64x128xf32>
      %s = arith.addf %d, %f : tensor<64x128xf32>
      scf.yield %s : tensor<64x128xf32>
    }
    tt.descriptor_store %c[%zero, %zero], %sum : !tt.tensordesc<tensor<64x128xf32>>, tensor<64x128xf32>
    tt.return
  }
}

// -----

// An operand that follows from another product is none.
// CHECK: tawa.not_applied = {converters = "no product
// CHECK-LABEL: tt.func public @of_a_product
// CHECK-NOT: tawa.roles<{{.*}}converter
module {
  tt.func public @of_a_product(%a: !tt.tensordesc<tensor<64x64xf16>>, %a0: i32, %a1: i32, %a2: i64, %a3: i64,
                        %b: !tt.tensordesc<tensor<64x128xi8>>, %b0: i32, %b1: i32, %b2: i64, %b3: i64,
                        %c: !tt.tensordesc<tensor<64x128xf32>>, %c0: i32, %c1: i32, %c2: i64, %c3: i64, %K: i32) {
    %zero = arith.constant 0 : i32
    %step = arith.constant 64 : i32
    %none = arith.constant dense<0.0> : tensor<64x128xf32>
    %sum = scf.for %k = %zero to %K step %step iter_args(%acc = %none) -> (tensor<64x128xf32>) : i32 {
      %x = tt.descriptor_load %a[%zero, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      %y = tt.descriptor_load %b[%k, %zero] : !tt.tensordesc<tensor<64x128xi8>> -> tensor<64x128xi8>
      %h = arith.sitofp %y : tensor<64x128xi8> to tensor<64x128xf16>
      %w = arith.truncf %acc : tensor<64x128xf32> to tensor<64x128xf16>
      %g = arith.addf %h, %w : tensor<64x128xf16>
      %d = tt.dot %x, %g, %acc : tensor<64x64xf16> * tensor<64x128xf16> -> tensor<64x128xf32>
      scf.yield %d : tensor<64x128xf32>
    }
    tt.descriptor_store %c[%zero, %zero], %sum : !tt.tensordesc<tensor<64x128xf32>>, tensor<64x128xf32>
    tt.return
  }
}

// -----

// Sums that leave no registers for one more role.
// CHECK: tawa.not_applied = {converters = "the sums of its products leave too few registers for a role that computes operands
// CHECK-LABEL: tt.func public @many_sums
// CHECK-NOT: tawa.roles<{{.*}}converter
module {
  tt.func public @many_sums(%a: !tt.tensordesc<tensor<128x64xf16>>, %a0: i32, %a1: i32, %a2: i64, %a3: i64,
                        %b: !tt.tensordesc<tensor<64x128xi8>>, %b0: i32, %b1: i32, %b2: i64, %b3: i64,
                        %c: !tt.tensordesc<tensor<128x128xf32>>, %c0: i32, %c1: i32, %c2: i64, %c3: i64, %K: i32) {
    %zero = arith.constant 0 : i32
    %step = arith.constant 64 : i32
    %none = arith.constant dense<0.0> : tensor<128x128xf32>
    %sum = scf.for %k = %zero to %K step %step iter_args(%acc = %none) -> (tensor<128x128xf32>) : i32 {
      %x = tt.descriptor_load %a[%zero, %k] : !tt.tensordesc<tensor<128x64xf16>> -> tensor<128x64xf16>
      %y = tt.descriptor_load %b[%k, %zero] : !tt.tensordesc<tensor<64x128xi8>> -> tensor<64x128xi8>
      %h = arith.sitofp %y : tensor<64x128xi8> to tensor<64x128xf16>
      %d = tt.dot %x, %h, %acc : tensor<128x64xf16> * tensor<64x128xf16> -> tensor<128x128xf32>
      %e = tt.dot %x, %h, %none : tensor<128x64xf16> * tensor<64x128xf16> -> tensor<128x128xf32>
      %s = arith.addf %d, %e : tensor<128x128xf32>
      scf.yield %s : tensor<128x128xf32>
    }
    tt.descriptor_store %c[%zero, %zero], %sum : !tt.tensordesc<tensor<128x128xf32>>, tensor<128x128xf32>
    tt.return
  }
}
