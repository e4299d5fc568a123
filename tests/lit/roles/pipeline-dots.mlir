// A dot that accumulates over its loop stays in flight; its slot is released P - 1 iterations later, the last ones after the loop.
// RUN: tawa-opt %s --tawa-pipeline-dots=mma-depth=1 --canonicalize --cse -split-input-file | FileCheck %s --check-prefixes=ALL,P1
// RUN: tawa-opt %s --tawa-pipeline-dots=mma-depth=3 --canonicalize --cse -split-input-file 2>/dev/null | FileCheck %s --check-prefixes=ALL,P3
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-pipeline-dots=mma-depth=1 --canonicalize --cse -split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-pipeline-dots{{$}}
// COUNTS: {{^ *}}8 num-awaited:
// COUNTS-NEXT: 8 the dot does not accumulate into a value carried by its own loop
// COUNTS: {{^ *}}11 num-pipelined:

// ALL-LABEL: tt.func private @accumulate
tt.func private @accumulate(%zero: tensor<64x64xf32>, %n: i32, %d: !tt.tensordesc<tensor<64x64xf32>>) {
  %ring = tawa.create_aref : !tawa.aref<4, [tensor<64x64xf16>]>
  tawa.warp_group consumer warps(4) registers(0) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    // ALL: [[BEGIN:%.*]] = tawa.dot_begin
    // ALL: [[LOOP:%.*]]:2 = scf.for {{.*}} iter_args([[ACC:%.*]] = [[BEGIN]], [[N:%.*]] = %c0_i32)
    // ALL:   [[T:%.*]] = tawa.get {{.*}}{{\[}}[[N]]]
    // ALL:   [[I:%.*]] = tawa.dot_issue [[T]], [[T]], [[ACC]]
    // One group in flight: it has to finish before its slot goes back.
    // P1:    tawa.dot_wait [[I]] pendings(0) : {{.*}} -> !tawa.inflight
    // P1-NEXT: tawa.consumed {{.*}}{{\[}}[[N]]] :
    // Three in flight: the wait retires the dot of two iterations ago, if there was one.
    // P3:    tawa.dot_wait [[I]] pendings(2)
    // P3:    [[BACK2:%.*]] = arith.subi [[N]], %c2_i32
    // P3:    [[EXISTS:%.*]] = arith.cmpi uge, [[N]], %c2_i32
    // P3:    tawa.consumed {{.*}}{{\[}}[[BACK2]]] if [[EXISTS]]
    // ALL: }
    // ALL: tawa.dot_wait [[LOOP]]#0 pendings(0) : {{.*}} -> tensor<64x64xf32>
    // P1-NOT: tawa.consumed
    // P3:  [[LAST2:%.*]] = arith.subi [[LOOP]]#1, %c2_i32
    // P3:  tawa.consumed {{.*}}{{\[}}[[LAST2]]] if
    // P3:  [[LAST1:%.*]] = arith.subi [[LOOP]]#1, %c1_i32
    // P3:  tawa.consumed {{.*}}{{\[}}[[LAST1]]] if
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %count = %c0) -> (tensor<64x64xf32>, i32) : i32 {
      %t = tawa.get %ring[%count] : !tawa.aref<4, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      %next = arith.addi %count, %c1 : i32
      %x = tt.dot %t, %t, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      tawa.consumed %ring[%count] : !tawa.aref<4, [tensor<64x64xf16>]>
      scf.yield %x, %next : tensor<64x64xf32>, i32
    }
    tt.descriptor_store %d[%n, %n], %r#0 : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
  }
  tt.return
}

// -----

// An accumulator that the loop reads is waited for in every iteration, whatever P is.
// ALL-LABEL: tt.func private @read_in_loop
tt.func private @read_in_loop(%zero: tensor<64x64xf32>, %n: i32, %d: !tt.tensordesc<tensor<64x64xf32>>) {
  %ring = tawa.create_aref : !tawa.aref<4, [tensor<64x64xf16>]>
  tawa.warp_group consumer warps(4) registers(0) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    // ALL: scf.for {{.*}} iter_args([[ACC:%.*]] = %{{.*}}, [[N:%.*]] = %c0_i32) -> (tensor<64x64xf32>, i32)
    // ALL:   [[B:%.*]] = tawa.dot_begin [[ACC]]
    // ALL:   [[I:%.*]] = tawa.dot_issue {{.*}}, {{.*}}, [[B]]
    // ALL:   [[W:%.*]] = tawa.dot_wait [[I]] pendings(0) : {{.*}} -> tensor<64x64xf32>
    // ALL:   tawa.consumed {{.*}}{{\[}}[[N]]] :
    // ALL:   arith.mulf [[W]], [[W]]
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %count = %c0) -> (tensor<64x64xf32>, i32) : i32 {
      %t = tawa.get %ring[%count] : !tawa.aref<4, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      %next = arith.addi %count, %c1 : i32
      %x = tt.dot %t, %t, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      tawa.consumed %ring[%count] : !tawa.aref<4, [tensor<64x64xf16>]>
      %y = arith.mulf %x, %x : tensor<64x64xf32>
      scf.yield %y, %next : tensor<64x64xf32>, i32
    }
    tt.descriptor_store %d[%n, %n], %r#0 : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
  }
  tt.return
}

// -----

// A sum that starts from zeros: the first dot replaces the accumulator, and a loop without iterations gives the zeros.
// ALL-LABEL: tt.func private @from_zero
tt.func private @from_zero(%n: i32, %d: !tt.tensordesc<tensor<64x64xf32>>) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %ring = tawa.create_aref : !tawa.aref<4, [tensor<64x64xf16>]>
  tawa.warp_group consumer warps(4) registers(0) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    // ALL: [[SOME:%.*]] = arith.cmpi sgt, %{{.*}}, %c0_i32
    // ALL: [[SUM:%.*]] = scf.if [[SOME]] -> (tensor<64x64xf32>) {
    // ALL:   [[BEGIN:%.*]] = tawa.dot_begin %cst overwritten
    // ALL:   scf.for [[I:%.*]] = %c0_i32 {{.*}} iter_args([[ACC:%.*]] = [[BEGIN]]
    // ALL:     [[LATER:%.*]] = arith.cmpi ne, [[I]], %c0_i32
    // ALL:     tawa.dot_issue {{.*}}, [[ACC]] adding if [[LATER]]
    // ALL:   [[DONE:%.*]] = tawa.dot_wait {{.*}} pendings(0) : {{.*}} -> tensor<64x64xf32>
    // ALL:   scf.yield [[DONE]]
    // ALL: } else {
    // ALL:   [[NONE:%.*]] = tawa.dot_begin %cst :
    // ALL:   [[ZEROS:%.*]] = tawa.dot_wait [[NONE]] pendings(0)
    // ALL:   scf.yield [[ZEROS]]
    // ALL: }
    // ALL: tt.descriptor_store {{.*}}, [[SUM]]
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %count = %c0) -> (tensor<64x64xf32>, i32) : i32 {
      %t = tawa.get %ring[%count] : !tawa.aref<4, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      %next = arith.addi %count, %c1 : i32
      %x = tt.dot %t, %t, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      tawa.consumed %ring[%count] : !tawa.aref<4, [tensor<64x64xf16>]>
      scf.yield %x, %next : tensor<64x64xf32>, i32
    }
    tt.descriptor_store %d[%n, %n], %r#0 : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
  }
  tt.return
}

// -----

// Two products of an iteration and two of what was computed from them: each is waited for before its result is used, and
// the slot that the second and the third read is released after the third. The sums are waited for at the end.
// ALL-LABEL: tt.func private @together
tt.func private @together(%zero: tensor<64x64xf32>, %k: tensor<64x64xf16>, %n: i32, %d: !tt.tensordesc<tensor<64x64xf32>>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %q_ring = tawa.create_aref : <2, [tensor<64x64xf16>]>
  %o_ring = tawa.create_aref : <2, [tensor<64x64xf16>]>
  tawa.warp_group consumer warps(4) registers(240) {
    %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero, %b = %zero, %m = %c0) -> (tensor<64x64xf32>, tensor<64x64xf32>, i32) : i32 {
      // ALL: %[[Q:.*]] = tawa.get %[[QRING:.*]][%[[M:.*]]] :
      // ALL: %[[S:.*]] = tawa.dot_issue {{.*}}, %[[Q]],
      // ALL: %[[O:.*]] = tawa.get %[[ORING:.*]][%[[M]]] :
      // ALL: %[[T:.*]] = tawa.dot_issue {{.*}}, %[[O]],
      // ALL: tawa.dot_wait %[[S]] pendings(1)
      // ALL: math.exp2
      // ALL: %[[A:.*]] = tawa.dot_issue {{.*}}, %[[O]],
      // ALL-NOT: tawa.consumed
      // ALL: tawa.dot_wait %[[T]] pendings(1)
      // ALL: arith.mulf
      // ALL: %[[B:.*]] = tawa.dot_issue {{.*}}, %[[Q]],
      // ALL: tawa.dot_wait %[[A]] pendings(1)
      // ALL: tawa.consumed %[[ORING]][%[[M]]]
      // ALL: tawa.dot_wait %[[B]] pendings(0)
      // ALL: tawa.consumed %[[QRING]][%[[M]]]
      // ALL: scf.yield
      %q = tawa.get %q_ring[%m] : <2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      %s = tt.dot %k, %q, %none : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      %o = tawa.get %o_ring[%m] : <2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      %t = tt.dot %k, %o, %none : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      %p = math.exp2 %s : tensor<64x64xf32>
      %p16 = arith.truncf %p : tensor<64x64xf32> to tensor<64x64xf16>
      %a1 = tt.dot %p16, %o, %a : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      tawa.consumed %o_ring[%m] : <2, [tensor<64x64xf16>]>
      %u = arith.mulf %p, %t : tensor<64x64xf32>
      %u16 = arith.truncf %u : tensor<64x64xf32> to tensor<64x64xf16>
      %b1 = tt.dot %u16, %q, %b : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      tawa.consumed %q_ring[%m] : <2, [tensor<64x64xf16>]>
      %m1 = arith.addi %m, %c1 : i32
      scf.yield %a1, %b1, %m1 : tensor<64x64xf32>, tensor<64x64xf32>, i32
    }
    tt.descriptor_store %d[%c0, %c0], %r#0 : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
    tt.descriptor_store %d[%c0, %c0], %r#1 : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
  }
  tt.return
}

// -----

// Sums that share an operand: all dots of an iteration are issued before anything is waited for, and P counts iterations.
// ALL-LABEL: tt.func private @side_by_side
tt.func private @side_by_side(%zero: tensor<64x64xf32>, %n: i32, %d: !tt.tensordesc<tensor<64x64xf32>>) {
  %ring = tawa.create_aref : !tawa.aref<4, [tensor<64x64xf16>, tensor<64x64xf16>]>
  tawa.warp_group consumer warps(4) registers(0) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    // ALL: scf.for
    // ALL: [[T:%.*]]:2 = tawa.get
    // ALL: [[I0:%.*]] = tawa.dot_issue [[T]]#0, [[T]]#0
    // ALL-NEXT: [[I1:%.*]] = tawa.dot_issue [[T]]#0, [[T]]#1
    // P1-NEXT: tawa.dot_wait [[I0]] pendings(0)
    // P1-NEXT: tawa.dot_wait [[I1]] pendings(0)
    // P1-NEXT: tawa.consumed
    // P3-NEXT: tawa.dot_wait [[I0]] pendings(4)
    // P3-NEXT: tawa.dot_wait [[I1]] pendings(4)
    // ALL: }
    // ALL: tawa.dot_wait {{.*}}#0 pendings(0) : {{.*}} -> tensor<64x64xf32>
    // ALL: tawa.dot_wait {{.*}}#1 pendings(0) : {{.*}} -> tensor<64x64xf32>
    %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%left = %zero, %right = %zero, %count = %c0) -> (tensor<64x64xf32>, tensor<64x64xf32>, i32) : i32 {
      %t:2 = tawa.get %ring[%count] : !tawa.aref<4, [tensor<64x64xf16>, tensor<64x64xf16>]> -> tensor<64x64xf16>, tensor<64x64xf16>
      %next = arith.addi %count, %c1 : i32
      %x = tt.dot %t#0, %t#0, %left : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      %y = tt.dot %t#0, %t#1, %right : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      tawa.consumed %ring[%count] : !tawa.aref<4, [tensor<64x64xf16>, tensor<64x64xf16>]>
      scf.yield %x, %y, %next : tensor<64x64xf32>, tensor<64x64xf32>, i32
    }
    tt.descriptor_store %d[%n, %n], %r#0 : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
    tt.descriptor_store %d[%n, %c0], %r#1 : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
  }
  tt.return
}

// -----

// A product that continues a sum is issued on top of it, though another one stands between; slots are released after its wait.
// ALL-LABEL: tt.func private @continued
tt.func private @continued(%n: i32, %d: !tt.tensordesc<tensor<64x64xf32>>) {
  %ring = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  %other = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  tawa.warp_group consumer warps(4) registers(0) {
    %c0 = arith.constant 0 : i32
    %none = arith.constant dense<0.0> : tensor<64x64xf32>
    // ALL: [[RING:%.*]] = tawa.create_aref
    // ALL: [[OTHER:%.*]] = tawa.create_aref
    // ALL: [[T:%.*]] = tawa.get [[RING]]
    // ALL: [[A:%.*]] = tawa.dot_issue [[T]], [[T]]
    // ALL: [[U:%.*]] = tawa.get [[OTHER]]
    // ALL: [[B:%.*]] = tawa.dot_issue [[U]], [[U]]
    // ALL: [[C:%.*]] = tawa.dot_issue [[U]], [[U]], [[A]] :
    // ALL: tawa.dot_wait [[B]] pendings(1)
    // ALL-NOT: tawa.consumed
    // ALL: math.exp2
    // ALL-NOT: tawa.dot_wait [[A]]
    // ALL: tawa.dot_wait [[C]] pendings(0)
    // ALL: tawa.consumed [[RING]]
    // ALL: tawa.consumed [[OTHER]]
    // ALL: math.exp2
    %t = tawa.get %ring[%c0] : <2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
    %a = tt.dot %t, %t, %none : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    tawa.consumed %ring[%c0] : <2, [tensor<64x64xf16>]>
    %u = tawa.get %other[%c0] : <2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
    %b = tt.dot %u, %u, %none : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    %c = tt.dot %u, %u, %a : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    tawa.consumed %other[%c0] : <2, [tensor<64x64xf16>]>
    %e = math.exp2 %b : tensor<64x64xf32>
    %f = math.exp2 %c : tensor<64x64xf32>
    tt.descriptor_store %d[%n, %c0], %e : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
    tt.descriptor_store %d[%n, %n], %f : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
  }
  tt.return
}

// -----

// Two products of an iteration that add to one sum: the loop carries the second's, and P counts iterations.
// ALL-LABEL: tt.func private @two_of_one_sum
tt.func private @two_of_one_sum(%zero: tensor<64x64xf32>, %n: i32, %d: !tt.tensordesc<tensor<64x64xf32>>) {
  %ring = tawa.create_aref : !tawa.aref<4, [tensor<64x64xf16>, tensor<64x64xf16>]>
  tawa.warp_group consumer warps(4) registers(0) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    // ALL: [[LOOP:%.*]]:2 = scf.for {{.*}} iter_args([[ACC:%.*]] = {{.*}}, %{{.*}} = %c0_i32)
    // ALL: [[T:%.*]]:2 = tawa.get
    // ALL: [[I0:%.*]] = tawa.dot_issue [[T]]#0, [[T]]#0, [[ACC]] :
    // ALL-NEXT: [[I1:%.*]] = tawa.dot_issue [[T]]#1, [[T]]#1, [[I0]] :
    // P1-NEXT: [[W:%.*]] = tawa.dot_wait [[I1]] pendings(0)
    // P3-NEXT: [[W:%.*]] = tawa.dot_wait [[I1]] pendings(4)
    // ALL: scf.yield [[W]],
    // ALL: tawa.dot_wait [[LOOP]]#0 pendings(0) : {{.*}} -> tensor<64x64xf32>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %count = %c0) -> (tensor<64x64xf32>, i32) : i32 {
      %t:2 = tawa.get %ring[%count] : !tawa.aref<4, [tensor<64x64xf16>, tensor<64x64xf16>]> -> tensor<64x64xf16>, tensor<64x64xf16>
      %next = arith.addi %count, %c1 : i32
      %x = tt.dot %t#0, %t#0, %sum : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      %y = tt.dot %t#1, %t#1, %x : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      tawa.consumed %ring[%count] : !tawa.aref<4, [tensor<64x64xf16>, tensor<64x64xf16>]>
      scf.yield %y, %next : tensor<64x64xf32>, i32
    }
    tt.descriptor_store %d[%n, %n], %r#0 : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
  }
  tt.return
}

// -----

// More products than PTX can name in flight, which is for the lowering to know: parts of a tile become one.
// ALL-LABEL: tt.func private @four_of_one_sum
tt.func private @four_of_one_sum(%zero: tensor<64x64xf32>, %n: i32, %d: !tt.tensordesc<tensor<64x64xf32>>) {
  %ring = tawa.create_aref : !tawa.aref<4, [tensor<64x64xf16>, tensor<64x64xf16>]>
  tawa.warp_group consumer warps(4) registers(0) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    // ALL: tawa.dot_issue
    // ALL: tawa.dot_issue
    // ALL: tawa.dot_issue
    // ALL: [[LAST:%.*]] = tawa.dot_issue
    // P1-NEXT: tawa.dot_wait [[LAST]] pendings(0)
    // P3-NEXT: tawa.dot_wait [[LAST]] pendings(8)
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %count = %c0) -> (tensor<64x64xf32>, i32) : i32 {
      %t:2 = tawa.get %ring[%count] : !tawa.aref<4, [tensor<64x64xf16>, tensor<64x64xf16>]> -> tensor<64x64xf16>, tensor<64x64xf16>
      %next = arith.addi %count, %c1 : i32
      %x = tt.dot %t#0, %t#0, %sum : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      %y = tt.dot %t#1, %t#1, %x : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      %z = tt.dot %t#0, %t#1, %y : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      %w = tt.dot %t#1, %t#0, %z : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      tawa.consumed %ring[%count] : !tawa.aref<4, [tensor<64x64xf16>, tensor<64x64xf16>]>
      scf.yield %w, %next : tensor<64x64xf32>, i32
    }
    tt.descriptor_store %d[%n, %n], %r#0 : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
  }
  tt.return
}

// -----

// Sums whose parts CTAs add up begin in registers where products stay in flight, so that no branch sets them.
// ALL-LABEL: tt.func private @parts
tt.func private @parts(%n: i32, %slot: i32, %needed: i1, %p: tensor<64x64x!tt.ptr<f16>>, %d: !tt.tensordesc<tensor<64x64xf32>>) attributes {tawa.stream} {
  tawa.warp_group main warps(4) registers(0) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    // ALL: [[ZEROS:%.*]] = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    // P1: scf.if
    // P3-NOT: scf.if
    // P1: tawa.dot_begin [[ZEROS]] overwritten
    // P3: tawa.dot_begin [[ZEROS]] :
    %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zeros) -> (tensor<64x64xf32>) : i32 {
      %t = tt.load %p : tensor<64x64x!tt.ptr<f16>>
      // P1: tawa.dot_wait {{.*}} pendings(0) : {{.*}} -> !tawa.inflight
      // P3: tawa.dot_wait {{.*}} pendings(2) : {{.*}} -> !tawa.inflight
      %x = tt.dot %t, %t, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %x : tensor<64x64xf32>
    }
    %kept = tawa.store_part %r in %slot if %needed : tensor<64x64xf32>
    tt.descriptor_store %d[%c0, %c0], %kept : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
  }
  tt.return
}
