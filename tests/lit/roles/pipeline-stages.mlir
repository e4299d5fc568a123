// Products of one iteration run under the arithmetic of the next: prologue, steady state, drain.
// RUN: tawa-opt %s --tawa-pipeline-stages -split-input-file 2>/dev/null | FileCheck %s
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-pipeline-stages -split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-pipeline-stages{{$}}
// COUNTS: {{^ *}}1 num-continued:
// COUNTS: {{^ *}}3 num-declined:
// COUNTS-NEXT: 1 a tile is read before and after the point at which iterations of the loop would overlap
// COUNTS-NEXT: 1 an operation with side effects would be executed in another order if iterations overlapped
// COUNTS-NEXT: 1 the first product of an iteration is computed from the last one of the iteration before
// COUNTS: {{^ *}}5 num-rotated:

// Two rings: the first product's slot is released after the wait that leaves the second pending, the second's when that is done.
// CHECK-LABEL: tt.func private @two_stages
tt.func private @two_stages(%zero: tensor<64x64xf32>, %ones: tensor<64xf32>, %n: i32, %d: !tt.tensordesc<tensor<64x64xf32>>) {
  %keys = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  %values = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  // CHECK: [[KEYS:%.*]] = tawa.create_aref
  // CHECK: [[VALUES:%.*]] = tawa.create_aref
  tawa.warp_group consumer warps(4) registers(232) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %none = arith.constant dense<0.0> : tensor<64x64xf32>
    // CHECK: [[SOME:%.*]] = arith.cmpi slt, %c0_i32, %{{.*}} : i32
    // CHECK: scf.if [[SOME]]
    // CHECK:   [[K0:%.*]] = tawa.get [[KEYS]][%c0_i32]
    // CHECK:   [[I0:%.*]] = tawa.dot_issue [[K0]], [[K0]]
    // CHECK:   [[S0:%.*]] = tawa.dot_wait [[I0]] pendings(0) : {{.*}} -> tensor<64x64xf32>
    // CHECK:   tawa.consumed [[KEYS]][%c0_i32]
    // CHECK:   [[P0:%.*]] = math.exp2 [[S0]]
    // CHECK-NOT: tawa.get [[VALUES]]
    // CHECK:   [[R0:%.*]] = arith.mulf %{{.*}}, [[P0]]
    // CHECK:   [[A0:%.*]] = arith.truncf [[P0]]
    // CHECK:   [[SECOND:%.*]] = arith.addi %c0_i32, %c1_i32
    // The counter of the second ring has not moved yet.
    // CHECK:   [[LOOP:%.*]]:4 = scf.for %{{.*}} = [[SECOND]] to {{.*}} iter_args([[NK:%.*]] = %{{.*}}, [[NV:%.*]] = %c0_i32, [[A:%.*]] = [[A0]], [[R:%.*]] = [[R0]])
    // CHECK:     [[K:%.*]] = tawa.get [[KEYS]]{{\[}}[[NK]]]
    // CHECK:     [[FIRST:%.*]] = tawa.dot_issue [[K]], [[K]], %{{.*}} adding if
    // CHECK:     [[V:%.*]] = tawa.get [[VALUES]]{{\[}}[[NV]]]
    // CHECK:     [[B:%.*]] = tawa.dot_begin [[R]]
    // CHECK:     [[UNDER:%.*]] = tawa.dot_issue [[A]], [[V]], [[B]]
    // CHECK:     [[S:%.*]] = tawa.dot_wait [[FIRST]] pendings(1) : {{.*}} -> tensor<64x64xf32>
    // CHECK:     tawa.consumed [[KEYS]]{{\[}}[[NK]]]
    // CHECK:     [[P:%.*]] = math.exp2 [[S]]
    // Operations that overwrite the registers of the second product, or use its sum, come after its wait.
    // CHECK:     [[O:%.*]] = tawa.dot_wait [[UNDER]] pendings(0) : {{.*}} -> tensor<64x64xf32>
    // CHECK:     tawa.consumed [[VALUES]]{{\[}}[[NV]]]
    // CHECK:     arith.mulf [[O]], [[P]]
    // CHECK:     arith.truncf [[P]]
    // CHECK:     scf.yield
    // CHECK:   [[VN:%.*]] = tawa.get [[VALUES]]{{\[}}[[LOOP]]#1]
    // CHECK:   [[BN:%.*]] = tawa.dot_begin [[LOOP]]#3
    // CHECK:   [[IN:%.*]] = tawa.dot_issue [[LOOP]]#2, [[VN]], [[BN]]
    // CHECK:   [[ON:%.*]] = tawa.dot_wait [[IN]] pendings(0)
    // CHECK:   tawa.consumed [[VALUES]]{{\[}}[[LOOP]]#1]
    // CHECK:   scf.yield [[ON]]
    // CHECK: } else {
    // CHECK:   scf.yield %{{.*}}, %c0_i32, %c0_i32
    %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %nk = %c0, %nv = %c0) -> (tensor<64x64xf32>, i32, i32) : i32 {
      %k = tawa.get %keys[%nk] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      %nk1 = arith.addi %nk, %c1 : i32
      %s = tt.dot %k, %k, %none : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      tawa.consumed %keys[%nk] : !tawa.aref<2, [tensor<64x64xf16>]>
      %p = math.exp2 %s : tensor<64x64xf32>
      %scaled = arith.mulf %sum, %p : tensor<64x64xf32>
      %v = tawa.get %values[%nv] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      %nv1 = arith.addi %nv, %c1 : i32
      %a = arith.truncf %p : tensor<64x64xf32> to tensor<64x64xf16>
      %o = tt.dot %a, %v, %scaled : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      tawa.consumed %values[%nv] : !tawa.aref<2, [tensor<64x64xf16>]>
      scf.yield %o, %nk1, %nv1 : tensor<64x64xf32>, i32, i32
    }
    tt.descriptor_store %d[%n, %n], %r#0 : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
  }
  tt.return
}

// -----

// A slot that both stages read would have to be held over the end of an iteration.
// CHECK: module attributes {tawa.not_applied = {coarse = "a tile is read before and after the point at which iterations of the loop would overlap"}}
// CHECK-NOT: dot_issue
tt.func private @shared_slot(%zero: tensor<64x64xf32>, %n: i32, %d: !tt.tensordesc<tensor<64x64xf32>>) {
  %ring = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  tawa.warp_group consumer warps(4) registers(232) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %none = arith.constant dense<0.0> : tensor<64x64xf32>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %count = %c0) -> (tensor<64x64xf32>, i32) : i32 {
      %t = tawa.get %ring[%count] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      %next = arith.addi %count, %c1 : i32
      %s = tt.dot %t, %t, %none : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      %a = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xf16>
      %o = tt.dot %a, %t, %sum : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      tawa.consumed %ring[%count] : !tawa.aref<2, [tensor<64x64xf16>]>
      scf.yield %o, %next : tensor<64x64xf32>, i32
    }
    tt.descriptor_store %d[%n, %n], %r#0 : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
  }
  tt.return
}

// -----

// The first product of an iteration needs the sum of the one before: there is nothing to overlap.
// CHECK: module attributes {tawa.not_applied = {coarse = "the first product of an iteration is computed from the last one of the iteration before"}}
tt.func private @in_turn(%zero: tensor<64x64xf32>, %n: i32, %d: !tt.tensordesc<tensor<64x64xf32>>) {
  %first = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  %second = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  tawa.warp_group consumer warps(4) registers(232) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %count = %c0) -> (tensor<64x64xf32>, i32) : i32 {
      %t = tawa.get %first[%count] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      %next = arith.addi %count, %c1 : i32
      %s = tt.dot %t, %t, %sum : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      tawa.consumed %first[%count] : !tawa.aref<2, [tensor<64x64xf16>]>
      %u = tawa.get %second[%count] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      %a = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xf16>
      %o = tt.dot %a, %u, %s : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      tawa.consumed %second[%count] : !tawa.aref<2, [tensor<64x64xf16>]>
      scf.yield %o, %next : tensor<64x64xf32>, i32
    }
    tt.descriptor_store %d[%n, %n], %r#0 : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
  }
  tt.return
}

// -----

// Loads of what the loop does not write: one that the second product's operand needs is carried, one whose address needs no
// product runs under the first product.
// CHECK-LABEL: tt.func private @reads
// CHECK:   scf.for
// CHECK:     [[K:%.*]] = tawa.get
// CHECK:     [[FIRST:%.*]] = tawa.dot_issue [[K]], [[K]]
// CHECK:     [[BIAS:%.*]] = tt.load
// CHECK:     [[UNDER:%.*]] = tawa.dot_issue
// CHECK:     [[S:%.*]] = tawa.dot_wait [[FIRST]] pendings(1)
// CHECK:     arith.addf [[S]], [[BIAS]]
// CHECK:     tawa.dot_wait [[UNDER]] pendings(0)
// CHECK:     tt.load {{.*}} : tensor<64x64x!tt.ptr<f16>>
// CHECK:     scf.yield
tt.func private @reads(%zero: tensor<64x64xf32>, %n: i32, %bias: tensor<64x64x!tt.ptr<f32>>, %table: tensor<64x64x!tt.ptr<f16>>, %steps: tensor<64x64xi32>, %d: !tt.tensordesc<tensor<64x64xf32>>) {
  %keys = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  %values = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  tawa.warp_group consumer warps(4) registers(232) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %none = arith.constant dense<0.0> : tensor<64x64xf32>
    %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %at = %bias, %count = %c0) -> (tensor<64x64xf32>, tensor<64x64x!tt.ptr<f32>>, i32) : i32 {
      %k = tawa.get %keys[%count] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      %next = arith.addi %count, %c1 : i32
      %s = tt.dot %k, %k, %none : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      tawa.consumed %keys[%count] : !tawa.aref<2, [tensor<64x64xf16>]>
      %b = tt.load %at : tensor<64x64x!tt.ptr<f32>>
      %sb = arith.addf %s, %b : tensor<64x64xf32>
      %p = math.exp2 %sb : tensor<64x64xf32>
      %index = arith.fptosi %p : tensor<64x64xf32> to tensor<64x64xi32>
      %where = tt.addptr %table, %index : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
      %a = tt.load %where : tensor<64x64x!tt.ptr<f16>>
      %v = tawa.get %values[%count] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      %o = tt.dot %a, %v, %sum : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      tawa.consumed %values[%count] : !tawa.aref<2, [tensor<64x64xf16>]>
      %move = tt.addptr %at, %steps : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
      scf.yield %o, %move, %next : tensor<64x64xf32>, tensor<64x64x!tt.ptr<f32>>, i32
    }
    tt.descriptor_store %d[%n, %n], %r#0 : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
  }
  tt.return
}

// -----

// Of a row that is added to each row of the sum, a thread has a quarter, whatever its share of the row by number. The 64 registers that this is
// of 128 numbers of 64 bits are not there during the products; the 32 of a row of f32 are.
// CHECK-LABEL: tt.func private @reads_rows
// CHECK:   scf.for
// CHECK:     [[FIRST:%.*]] = tawa.dot_issue
// CHECK:     tt.load {{.*}} : tensor<1x128x!tt.ptr<f32>>
// CHECK-NOT: tt.load
// CHECK:     tawa.dot_wait [[FIRST]] pendings(1)
// CHECK:     tt.load {{.*}} : tensor<1x128x!tt.ptr<i64>>
// CHECK:     scf.yield
tt.func private @reads_rows(%zero: tensor<128x64xf32>, %n: i32, %q: tensor<128x64xf16>, %bias: tensor<1x128x!tt.ptr<f32>>, %table: tensor<1x128x!tt.ptr<i64>>, %row: tensor<128x128xi64>, %low: tensor<128x128xf32>, %steps: tensor<1x128xi32>, %d: !tt.tensordesc<tensor<128x64xf32>>) {
  %keys = tawa.create_aref : !tawa.aref<2, [tensor<64x128xf16>]>
  %values = tawa.create_aref : !tawa.aref<2, [tensor<128x64xf16>]>
  tawa.warp_group consumer warps(8) registers(232) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %none = arith.constant dense<0.0> : tensor<128x128xf32>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %count = %c0) -> (tensor<128x64xf32>, i32) : i32 {
      %k = tawa.get %keys[%count] : !tawa.aref<2, [tensor<64x128xf16>]> -> tensor<64x128xf16>
      %next = arith.addi %count, %c1 : i32
      %s = tt.dot %q, %k, %none : tensor<128x64xf16> * tensor<64x128xf16> -> tensor<128x128xf32>
      tawa.consumed %keys[%count] : !tawa.aref<2, [tensor<64x128xf16>]>
      %b = tt.load %bias : tensor<1x128x!tt.ptr<f32>>
      %bs = tt.broadcast %b : tensor<1x128xf32> -> tensor<128x128xf32>
      %sb = arith.addf %s, %bs : tensor<128x128xf32>
      %t = tt.load %table : tensor<1x128x!tt.ptr<i64>>
      %ts = tt.broadcast %t : tensor<1x128xi64> -> tensor<128x128xi64>
      %same = arith.cmpi eq, %ts, %row : tensor<128x128xi64>
      %masked = arith.select %same, %sb, %low : tensor<128x128xi1>, tensor<128x128xf32>
      %p = math.exp2 %masked : tensor<128x128xf32>
      %a = arith.truncf %p : tensor<128x128xf32> to tensor<128x128xf16>
      %v = tawa.get %values[%count] : !tawa.aref<2, [tensor<128x64xf16>]> -> tensor<128x64xf16>
      %o = tt.dot %a, %v, %sum : tensor<128x128xf16> * tensor<128x64xf16> -> tensor<128x64xf32>
      tawa.consumed %values[%count] : !tawa.aref<2, [tensor<128x64xf16>]>
      scf.yield %o, %next : tensor<128x64xf32>, i32
    }
    tt.descriptor_store %d[%n, %n], %r#0 : !tt.tensordesc<tensor<128x64xf32>>, tensor<128x64xf32>
  }
  tt.return
}

// -----

// A load that may read what the iteration before stored keeps its place.
// CHECK: module attributes {tawa.not_applied = {coarse = "an operation with side effects would be executed in another order if iterations overlapped"}}
tt.func private @written(%zero: tensor<64x64xf32>, %n: i32, %p0: tensor<64x64x!tt.ptr<f16>>, %d: !tt.tensordesc<tensor<64x64xf32>>) {
  %keys = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  %values = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  tawa.warp_group consumer warps(4) registers(232) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %none = arith.constant dense<0.0> : tensor<64x64xf32>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %count = %c0) -> (tensor<64x64xf32>, i32) : i32 {
      %k = tawa.get %keys[%count] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      %next = arith.addi %count, %c1 : i32
      %q = tt.load %p0 : tensor<64x64x!tt.ptr<f16>>
      %s = tt.dot %q, %k, %none : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      tawa.consumed %keys[%count] : !tawa.aref<2, [tensor<64x64xf16>]>
      %a = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xf16>
      tt.store %p0, %a : tensor<64x64x!tt.ptr<f16>>
      %v = tawa.get %values[%count] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      %o = tt.dot %a, %v, %sum : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      tawa.consumed %values[%count] : !tawa.aref<2, [tensor<64x64xf16>]>
      scf.yield %o, %next : tensor<64x64xf32>, i32
    }
    tt.descriptor_store %d[%n, %n], %r#0 : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
  }
  tt.return
}

// -----

// Products that continue each other's sums are one stage: the second is issued on top of the first, and one wait covers both.
// CHECK-LABEL: tt.func private @chained
// CHECK:   scf.for
// CHECK:     [[K:%.*]]:2 = tawa.get
// CHECK:     [[I0:%.*]] = tawa.dot_issue [[K]]#0, [[K]]#0, %{{.*}} adding if
// CHECK:     [[I1:%.*]] = tawa.dot_issue [[K]]#1, [[K]]#1, [[I0]] :
// CHECK:     [[V:%.*]]:2 = tawa.get
// CHECK:     [[J0:%.*]] = tawa.dot_issue %{{.*}}, [[V]]#0, %{{.*}}
// CHECK:     [[J1:%.*]] = tawa.dot_issue %{{.*}}, [[V]]#1, [[J0]] :
// CHECK-NOT: tawa.dot_wait [[I0]]
// CHECK:     [[S:%.*]] = tawa.dot_wait [[I1]] pendings(2)
// CHECK:     math.exp2 [[S]]
// CHECK-NOT: tawa.dot_wait [[J0]]
// CHECK:     tawa.dot_wait [[J1]] pendings(0)
// CHECK:     scf.yield
tt.func private @chained(%zero: tensor<64x64xf32>, %n: i32, %d: !tt.tensordesc<tensor<64x64xf32>>) {
  %keys = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>, tensor<64x64xf16>]>
  %values = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>, tensor<64x64xf16>]>
  tawa.warp_group consumer warps(4) registers(232) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %none = arith.constant dense<0.0> : tensor<64x64xf32>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %count = %c0) -> (tensor<64x64xf32>, i32) : i32 {
      %k:2 = tawa.get %keys[%count] : !tawa.aref<2, [tensor<64x64xf16>, tensor<64x64xf16>]> -> tensor<64x64xf16>, tensor<64x64xf16>
      %next = arith.addi %count, %c1 : i32
      %s0 = tt.dot %k#0, %k#0, %none : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      %s = tt.dot %k#1, %k#1, %s0 : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      tawa.consumed %keys[%count] : !tawa.aref<2, [tensor<64x64xf16>, tensor<64x64xf16>]>
      %p = math.exp2 %s : tensor<64x64xf32>
      %a = arith.truncf %p : tensor<64x64xf32> to tensor<64x64xf16>
      %b = arith.negf %a : tensor<64x64xf16>
      %v:2 = tawa.get %values[%count] : !tawa.aref<2, [tensor<64x64xf16>, tensor<64x64xf16>]> -> tensor<64x64xf16>, tensor<64x64xf16>
      %o0 = tt.dot %a, %v#0, %sum : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      %o = tt.dot %b, %v#1, %o0 : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      tawa.consumed %values[%count] : !tawa.aref<2, [tensor<64x64xf16>, tensor<64x64xf16>]>
      scf.yield %o, %next : tensor<64x64xf32>, i32
    }
    tt.descriptor_store %d[%n, %n], %r#0 : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
  }
  tt.return
}

// -----

// A product that follows the loop and needs no sum of it is issued before the drain's, where the loop ran; what follows from it runs
// while the drain's is under way. Its second product stays after the branch, with its slot, and so does the release of a
// slot that was got before.
// CHECK-LABEL: tt.func private @peeled
tt.func private @peeled(%zero: tensor<64x64xf32>, %n: i32, %d: !tt.tensordesc<tensor<64x64xf32>>) {
  %queries = tawa.create_aref : !tawa.aref<1, [tensor<64x64xf16>]>
  %keys = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  %values = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  // CHECK: [[QUERIES:%.*]] = tawa.create_aref
  // CHECK: [[KEYS:%.*]] = tawa.create_aref
  // CHECK: [[VALUES:%.*]] = tawa.create_aref
  tawa.warp_group consumer warps(4) registers(232) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %none = arith.constant dense<0.0> : tensor<64x64xf32>
    // CHECK: [[Q:%.*]] = tawa.get [[QUERIES]]
    // CHECK: [[ALL:%.*]]:{{[0-9]}} = scf.if
    // CHECK:   [[LOOP:%.*]]:4 = scf.for
    // CHECK:   }
    // CHECK:   [[K:%.*]] = tawa.get [[KEYS]]{{\[}}[[LOOP]]#0]
    // CHECK:   [[LAST:%.*]] = tawa.dot_issue [[Q]], [[K]]
    // CHECK:   tawa.get [[VALUES]]{{\[}}[[LOOP]]#1]
    // CHECK:   [[DRAIN:%.*]] = tawa.dot_issue
    // CHECK:   [[S:%.*]] = tawa.dot_wait [[LAST]] pendings(1)
    // CHECK:   tawa.consumed [[KEYS]]{{\[}}[[LOOP]]#0]
    // CHECK:   [[P:%.*]] = math.exp2 [[S]]
    // CHECK:   [[O:%.*]] = tawa.dot_wait [[DRAIN]] pendings(0)
    // CHECK:   tawa.consumed [[VALUES]]{{\[}}[[LOOP]]#1]
    // CHECK-DAG: [[A:%.*]] = arith.truncf [[P]]
    // CHECK-DAG: [[R:%.*]] = arith.mulf [[O]], [[P]]
    // CHECK:   scf.yield
    // CHECK: } else {
    // CHECK:   tawa.get [[KEYS]][%c0_i32]
    // CHECK:   tt.dot [[Q]]
    // CHECK:   tawa.consumed [[KEYS]][%c0_i32]
    // CHECK:   math.exp2
    // CHECK:   scf.yield
    // CHECK: }
    // CHECK: tawa.consumed [[QUERIES]]
    // CHECK: tawa.get [[VALUES]]
    // CHECK: tt.dot [[ALL]]#{{[0-9]}}, %{{.*}}, [[ALL]]#
    %q = tawa.get %queries[%c0] : !tawa.aref<1, [tensor<64x64xf16>]> -> tensor<64x64xf16>
    %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %nk = %c0, %nv = %c0) -> (tensor<64x64xf32>, i32, i32) : i32 {
      %k = tawa.get %keys[%nk] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      %nk1 = arith.addi %nk, %c1 : i32
      %s = tt.dot %q, %k, %none : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      tawa.consumed %keys[%nk] : !tawa.aref<2, [tensor<64x64xf16>]>
      %p = math.exp2 %s : tensor<64x64xf32>
      %scaled = arith.mulf %sum, %p : tensor<64x64xf32>
      %v = tawa.get %values[%nv] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      %nv1 = arith.addi %nv, %c1 : i32
      %a = arith.truncf %p : tensor<64x64xf32> to tensor<64x64xf16>
      %o = tt.dot %a, %v, %scaled : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      tawa.consumed %values[%nv] : !tawa.aref<2, [tensor<64x64xf16>]>
      scf.yield %o, %nk1, %nv1 : tensor<64x64xf32>, i32, i32
    }
    %k = tawa.get %keys[%r#1] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
    %s = tt.dot %q, %k, %none : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    tawa.consumed %queries[%c0] : !tawa.aref<1, [tensor<64x64xf16>]>
    tawa.consumed %keys[%r#1] : !tawa.aref<2, [tensor<64x64xf16>]>
    %p = math.exp2 %s : tensor<64x64xf32>
    %scaled = arith.mulf %r#0, %p : tensor<64x64xf32>
    %v = tawa.get %values[%r#2] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
    %a = arith.truncf %p : tensor<64x64xf32> to tensor<64x64xf16>
    %o = tt.dot %a, %v, %scaled : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    tawa.consumed %values[%r#2] : !tawa.aref<2, [tensor<64x64xf16>]>
    tt.descriptor_store %d[%n, %n], %o : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
  }
  tt.return
}
