// Loops with longer sequences of products, chains that are divided, and effects at the end of an iteration.
// RUN: tawa-opt %s --tawa-pipeline-stages -split-input-file 2>/dev/null | FileCheck %s
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-pipeline-stages -split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-pipeline-stages{{$}}
// COUNTS: {{^ *}}1 num-continued:
// COUNTS: {{^ *}}3 num-declined:
// COUNTS-NEXT: 2 an operation with side effects would be executed in another order if iterations overlapped
// COUNTS-NEXT: 1 with one slot for it, a tile of a second product is loaded before one that a first product needs, so
// COUNTS: {{^ *}}4 num-rotated:

// Three products with arithmetic between them: that after the second runs during the next iteration's first one, that after
// the first during the third.
// CHECK-LABEL: tt.func private @three
tt.func private @three(%zero: tensor<64x64xf32>, %n: i32, %d: !tt.tensordesc<tensor<64x64xf32>>) {
  %keys = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  %values = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  %weights = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  // CHECK: [[KEYS:%.*]] = tawa.create_aref
  // CHECK: [[VALUES:%.*]] = tawa.create_aref
  // CHECK: [[WEIGHTS:%.*]] = tawa.create_aref
  tawa.warp_group consumer warps(4) registers(232) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %none = arith.constant dense<0.0> : tensor<64x64xf32>
    // CHECK: scf.if
    // CHECK:   tawa.get [[KEYS]]
    // CHECK-NOT: tawa.get [[VALUES]]
    // CHECK:   [[LOOP:%.*]]:4 = scf.for {{.*}} iter_args([[SUM:%.*]] = %{{.*}}, [[NK:%.*]] = %{{.*}}, [[NV:%.*]] = %c0_i32, [[P:%.*]] = %{{.*}})
    // CHECK:     [[V:%.*]] = tawa.get [[VALUES]]{{\[}}[[NV]]]
    // CHECK:     [[SECOND:%.*]] = tawa.dot_issue [[P]], [[V]]
    // CHECK:     [[K:%.*]] = tawa.get [[KEYS]]{{\[}}[[NK]]]
    // CHECK:     [[FIRST:%.*]] = tawa.dot_issue [[K]], [[K]]
    // CHECK:     [[O:%.*]] = tawa.dot_wait [[SECOND]] pendings(1)
    // CHECK:     tawa.consumed [[VALUES]]{{\[}}[[NV]]]
    // CHECK:     [[H:%.*]] = arith.truncf [[O]]
    // CHECK:     [[W:%.*]] = tawa.get [[WEIGHTS]]{{\[}}[[NV]]]
    // CHECK:     [[THIRD:%.*]] = tawa.dot_issue [[H]], [[W]]
    // CHECK:     [[S:%.*]] = tawa.dot_wait [[FIRST]] pendings(1)
    // CHECK:     tawa.consumed [[KEYS]]{{\[}}[[NK]]]
    // CHECK:     [[E:%.*]] = math.exp2 [[S]]
    // CHECK:     [[NEXT:%.*]] = arith.truncf [[E]]
    // CHECK:     [[Y:%.*]] = tawa.dot_wait [[THIRD]] pendings(0)
    // CHECK:     tawa.consumed [[WEIGHTS]]{{\[}}[[NV]]]
    // CHECK:     scf.yield [[Y]]
    // The last iteration has no first product beside it.
    // CHECK:   tawa.get [[VALUES]]{{\[}}[[LOOP]]#2]
    // CHECK:   [[LAST:%.*]] = tawa.dot_issue [[LOOP]]#3
    // CHECK:   tawa.dot_wait [[LAST]] pendings(0)
    // CHECK:   tawa.get [[WEIGHTS]]{{\[}}[[LOOP]]#2]
    // CHECK:   [[END:%.*]] = tawa.dot_issue
    // CHECK:   tawa.dot_wait [[END]] pendings(0)
    // CHECK:   tawa.consumed [[WEIGHTS]]{{\[}}[[LOOP]]#2]
    %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %nk = %c0, %nv = %c0) -> (tensor<64x64xf32>, i32, i32) : i32 {
      %k = tawa.get %keys[%nk] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      %nk1 = arith.addi %nk, %c1 : i32
      %s = tt.dot %k, %k, %none : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      tawa.consumed %keys[%nk] : !tawa.aref<2, [tensor<64x64xf16>]>
      %e = math.exp2 %s : tensor<64x64xf32>
      %p = arith.truncf %e : tensor<64x64xf32> to tensor<64x64xf16>
      %v = tawa.get %values[%nv] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      %nv1 = arith.addi %nv, %c1 : i32
      %o = tt.dot %p, %v, %none : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      tawa.consumed %values[%nv] : !tawa.aref<2, [tensor<64x64xf16>]>
      %h = arith.truncf %o : tensor<64x64xf32> to tensor<64x64xf16>
      %w = tawa.get %weights[%nv] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      %y = tt.dot %h, %w, %sum : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      tawa.consumed %weights[%nv] : !tawa.aref<2, [tensor<64x64xf16>]>
      scf.yield %y, %nk1, %nv1 : tensor<64x64xf32>, i32, i32
    }
    tt.descriptor_store %d[%n, %n], %r#0 : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
  }
  tt.return
}

// -----

// A chain whose first product reads a tile of the first stage is divided: its sum is handed over. Stores at the end of the
// delayed part keep their order.
// CHECK-LABEL: tt.func private @divided
// CHECK:   scf.for {{.*}}, [[A:%[^ ]*]] = %{{[^ ]*}}, [[BEFORE:%[^ ]*]] = %{{[^ ]*}}) -> (i32, i32, tensor<64x64xf16>, tensor<64x64xf32>)
// CHECK:     [[Q:%.*]] = tawa.get
// CHECK:     [[INTER:%.*]] = tawa.dot_issue [[Q]], [[Q]], %{{.*}} adding if
// CHECK:     [[SCORES:%.*]] = tawa.dot_issue [[Q]], [[Q]], %{{.*}} adding if
// CHECK:     [[V:%.*]] = tawa.get
// CHECK:     [[BEGUN:%.*]] = tawa.dot_begin [[BEFORE]]
// CHECK:     [[INTRA:%.*]] = tawa.dot_issue [[A]], [[V]], [[BEGUN]]
// CHECK:     [[NEXT:%.*]] = tawa.dot_wait [[INTER]] pendings(2)
// CHECK:     [[S:%.*]] = tawa.dot_wait [[SCORES]] pendings(1)
// CHECK:     math.exp2 [[S]]
// CHECK:     [[O:%.*]] = tawa.dot_wait [[INTRA]] pendings(0)
// CHECK:     tt.descriptor_store %{{.*}}, [[O]]
// CHECK:     scf.yield %{{.*}}, %{{.*}}, %{{.*}}, [[NEXT]]
tt.func private @divided(%n: i32, %d: !tt.tensordesc<tensor<64x64xf32>>) {
  %queries = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  %values = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  tawa.warp_group consumer warps(4) registers(232) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %none = arith.constant dense<0.0> : tensor<64x64xf32>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%nq = %c0, %nv = %c0) -> (i32, i32) : i32 {
      %q = tawa.get %queries[%nq] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      %nq1 = arith.addi %nq, %c1 : i32
      %inter = tt.dot %q, %q, %none : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      %s = tt.dot %q, %q, %none : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      tawa.consumed %queries[%nq] : !tawa.aref<2, [tensor<64x64xf16>]>
      %e = math.exp2 %s : tensor<64x64xf32>
      %a = arith.truncf %e : tensor<64x64xf32> to tensor<64x64xf16>
      %v = tawa.get %values[%nv] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      %nv1 = arith.addi %nv, %c1 : i32
      %o = tt.dot %a, %v, %inter : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      tawa.consumed %values[%nv] : !tawa.aref<2, [tensor<64x64xf16>]>
      tt.descriptor_store %d[%n, %n], %o : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
      scf.yield %nq1, %nv1 : i32, i32
    }
  }
  tt.return
}

// -----

// Numbers of rows are handed over as they are, and repeated where they are used.
// CHECK-LABEL: tt.func private @rows
// CHECK:   scf.for {{.*}} -> (tensor<64x64xf32>, i32, tensor<64xf32>, i32, tensor<64x64xf16>)
// CHECK:     tawa.dot_issue
// CHECK:     tt.broadcast
// CHECK:     tawa.dot_issue
tt.func private @rows(%zero: tensor<64x64xf32>, %n: i32, %d: !tt.tensordesc<tensor<64x64xf32>>) {
  %keys = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  %values = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  tawa.warp_group consumer warps(4) registers(232) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %none = arith.constant dense<0.0> : tensor<64x64xf32>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %count = %c0) -> (tensor<64x64xf32>, i32) : i32 {
      %k = tawa.get %keys[%count] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      %next = arith.addi %count, %c1 : i32
      %s = tt.dot %k, %k, %none : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      tawa.consumed %keys[%count] : !tawa.aref<2, [tensor<64x64xf16>]>
      %total = "tt.reduce"(%s) <{axis = 1 : i32}> ({
      ^bb0(%x: f32, %y: f32):
        %z = arith.addf %x, %y : f32
        tt.reduce.return %z : f32
      }) : (tensor<64x64xf32>) -> tensor<64xf32>
      %column = tt.expand_dims %total {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %totals = tt.broadcast %column : tensor<64x1xf32> -> tensor<64x64xf32>
      %a = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xf16>
      %v = tawa.get %values[%count] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      %o = tt.dot %a, %v, %none : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      tawa.consumed %values[%count] : !tawa.aref<2, [tensor<64x64xf16>]>
      %mean = arith.divf %o, %totals : tensor<64x64xf32>
      %more = arith.addf %sum, %mean : tensor<64x64xf32>
      scf.yield %more, %next : tensor<64x64xf32>, i32
    }
    tt.descriptor_store %d[%n, %n], %r#0 : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
  }
  tt.return
}

// -----

// A store of the first part would come before the delayed part's store of the iteration before.
// CHECK: module attributes {tawa.not_applied = {coarse = "an operation with side effects would be executed in another order if iterations overlapped"}}
tt.func private @two_stores(%n: i32, %d: !tt.tensordesc<tensor<64x64xf32>>) {
  %queries = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  %values = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  tawa.warp_group consumer warps(4) registers(232) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %none = arith.constant dense<0.0> : tensor<64x64xf32>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%count = %c0) -> (i32) : i32 {
      %q = tawa.get %queries[%count] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      %next = arith.addi %count, %c1 : i32
      %s = tt.dot %q, %q, %none : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      tawa.consumed %queries[%count] : !tawa.aref<2, [tensor<64x64xf16>]>
      tt.descriptor_store %d[%n, %n], %s : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
      %a = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xf16>
      %v = tawa.get %values[%count] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      %o = tt.dot %a, %v, %none : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      tawa.consumed %values[%count] : !tawa.aref<2, [tensor<64x64xf16>]>
      tt.descriptor_store %d[%n, %n], %o : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
      scf.yield %next : i32
    }
  }
  tt.return
}

// -----

// A load that may read what the delayed store of the iteration before writes.
// CHECK: module attributes {tawa.not_applied = {coarse = "an operation with side effects would be executed in another order if iterations overlapped"}}
tt.func private @read_back(%n: i32, %p: tensor<64x64x!tt.ptr<f32>>) {
  %queries = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  %values = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  tawa.warp_group consumer warps(4) registers(232) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %none = arith.constant dense<0.0> : tensor<64x64xf32>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%count = %c0) -> (i32) : i32 {
      %q = tawa.get %queries[%count] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      %next = arith.addi %count, %c1 : i32
      %s = tt.dot %q, %q, %none : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      tawa.consumed %queries[%count] : !tawa.aref<2, [tensor<64x64xf16>]>
      %old = tt.load %p : tensor<64x64x!tt.ptr<f32>>
      %t = arith.addf %s, %old : tensor<64x64xf32>
      %a = arith.truncf %t : tensor<64x64xf32> to tensor<64x64xf16>
      %v = tawa.get %values[%count] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      %o = tt.dot %a, %v, %none : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      tawa.consumed %values[%count] : !tawa.aref<2, [tensor<64x64xf16>]>
      tt.store %p, %o : tensor<64x64x!tt.ptr<f32>>
      scf.yield %next : i32
    }
  }
  tt.return
}

// -----

// The producer could put the next key only after the value, whose one slot is held until then.
// CHECK: module attributes {tawa.not_applied = {coarse = "with one slot for it, a tile of a second product is loaded before one that a first product needs, so the producer could not load that one for the next iteration"}}
tt.func private @later_first(%zero: tensor<64x64xf32>, %n: i32, %d: !tt.tensordesc<tensor<64x64xf32>>) {
  %keys = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  %values = tawa.create_aref : !tawa.aref<1, [tensor<64x64xf16>]>
  tawa.warp_group consumer warps(4) registers(232) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %none = arith.constant dense<0.0> : tensor<64x64xf32>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %count = %c0) -> (tensor<64x64xf32>, i32) : i32 {
      %v = tawa.get %values[%count] : !tawa.aref<1, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      %k = tawa.get %keys[%count] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      %next = arith.addi %count, %c1 : i32
      %s = tt.dot %k, %k, %none : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      tawa.consumed %keys[%count] : !tawa.aref<2, [tensor<64x64xf16>]>
      %e = math.exp2 %s : tensor<64x64xf32>
      %a = arith.truncf %e : tensor<64x64xf32> to tensor<64x64xf16>
      %o = tt.dot %a, %v, %sum : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      tawa.consumed %values[%count] : !tawa.aref<1, [tensor<64x64xf16>]>
      scf.yield %o, %next : tensor<64x64xf32>, i32
    }
    tt.descriptor_store %d[%n, %n], %r#0 : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
  }
  tt.return
}

// -----

// Products after the loop that continue each other's sums are both issued before the drain's; their slots are released after
// the wait.
// CHECK-LABEL: tt.func private @peeled_parts
// CHECK:   [[LOOP:%.*]]:{{[0-9]}} = scf.for
// CHECK:     scf.yield
// CHECK:   }
// CHECK:   [[K:%.*]] = tawa.get
// CHECK:   [[I0:%.*]] = tawa.dot_issue [[K]], [[K]]
// CHECK:   [[L:%.*]] = tawa.get
// CHECK:   [[I1:%.*]] = tawa.dot_issue [[L]], [[L]], [[I0]] :
// CHECK:   [[DRAIN:%.*]] = tawa.dot_issue [[LOOP]]#
// CHECK-NOT: tawa.consumed
// CHECK:   [[S:%.*]] = tawa.dot_wait [[I1]] pendings(1)
// CHECK:   tawa.consumed
// CHECK:   tawa.consumed
// CHECK:   math.exp2 [[S]]
// CHECK:   tawa.dot_wait [[DRAIN]] pendings(0)
// CHECK: } else {
tt.func private @peeled_parts(%zero: tensor<64x64xf32>, %n: i32, %d: !tt.tensordesc<tensor<64x64xf32>>) {
  %keys = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  %ropes = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  %values = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  tawa.warp_group consumer warps(4) registers(232) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %none = arith.constant dense<0.0> : tensor<64x64xf32>
    %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %nk = %c0, %nv = %c0) -> (tensor<64x64xf32>, i32, i32) : i32 {
      %k = tawa.get %keys[%nk] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      %s0 = tt.dot %k, %k, %none : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      tawa.consumed %keys[%nk] : !tawa.aref<2, [tensor<64x64xf16>]>
      %l = tawa.get %ropes[%nk] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      %s = tt.dot %l, %l, %s0 : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      tawa.consumed %ropes[%nk] : !tawa.aref<2, [tensor<64x64xf16>]>
      %nk1 = arith.addi %nk, %c1 : i32
      %p = math.exp2 %s : tensor<64x64xf32>
      %v = tawa.get %values[%nv] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      %nv1 = arith.addi %nv, %c1 : i32
      %a = arith.truncf %p : tensor<64x64xf32> to tensor<64x64xf16>
      %o = tt.dot %a, %v, %sum : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      tawa.consumed %values[%nv] : !tawa.aref<2, [tensor<64x64xf16>]>
      scf.yield %o, %nk1, %nv1 : tensor<64x64xf32>, i32, i32
    }
    %k = tawa.get %keys[%r#1] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
    %s0 = tt.dot %k, %k, %none : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    tawa.consumed %keys[%r#1] : !tawa.aref<2, [tensor<64x64xf16>]>
    %l = tawa.get %ropes[%r#1] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
    %s = tt.dot %l, %l, %s0 : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    tawa.consumed %ropes[%r#1] : !tawa.aref<2, [tensor<64x64xf16>]>
    %p = math.exp2 %s : tensor<64x64xf32>
    %v = tawa.get %values[%r#2] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
    %a = arith.truncf %p : tensor<64x64xf32> to tensor<64x64xf16>
    %o = tt.dot %a, %v, %r#0 : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    tawa.consumed %values[%r#2] : !tawa.aref<2, [tensor<64x64xf16>]>
    tt.descriptor_store %d[%n, %n], %o : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
  }
  tt.return
}
