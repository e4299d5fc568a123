// Each constraint of the tawa dialect is enforced, by the number its description gives it.
// RUN: tawa-opt %s -split-input-file -verify-diagnostics

// aref C1: a ring has between 1 and 32 slots.
tt.func @depth() {
  // expected-error @+1 {{ring depth 0 is not in [1, 32]}}
  %ring = tawa.create_aref : !tawa.aref<0, [tensor<64x64xf16>]>
  tt.return
}

// -----

// aref C2: of a known size.
tt.func @payload_type() {
  // expected-error @+1 {{payload 'i16' is not a ranked tensor of static shape}}
  %ring = tawa.create_aref : !tawa.aref<1, [i16]>
  tt.return
}

// -----

// warp_group C1.
tt.func @warps() {
  // expected-error @+1 {{warps(6) is not 1, 2 or a positive multiple of 4}}
  tawa.warp_group producer warps(6) registers(0) {
  }
  tt.return
}

// -----

// warp_group C2.
tt.func @registers() {
  // expected-error @+1 {{registers(41) is neither 0 nor a multiple of 8 in [24, 256]}}
  tawa.warp_group producer warps(4) registers(41) {
  }
  tt.return
}

// -----

// warp_group C3.
tt.func @nested() {
  tawa.warp_group producer warps(4) registers(0) {
    // expected-error @+1 {{stands directly in a function's body}}
    tawa.warp_group consumer warps(4) registers(0) {
    }
  }
  tt.return
}

// -----

// put C1.
tt.func private @put(%i: i32, %t: tensor<64x64xf16>) {
  %ring = tawa.create_aref : !tawa.aref<1, [tensor<64x32xf16>]>
  // expected-error @+1 {{value 0 is 'tensor<64x64xf16>', the ring carries 'tensor<64x32xf16>'}}
  tawa.put %ring[%i], %t : !tawa.aref<1, [tensor<64x32xf16>]>, tensor<64x64xf16>
  tt.return
}

// -----

// put C2: of several roles, none puts into a ring it gets from.
tt.func private @roles(%i: i32, %t: tensor<64x64xf16>) {
  // expected-error @+1 {{role producer both puts and gets: it would wait for itself}}
  %ring = tawa.create_aref : !tawa.aref<1, [tensor<64x64xf16>]>
  tawa.warp_group producer warps(4) registers(0) {
    tawa.put %ring[%i], %t : !tawa.aref<1, [tensor<64x64xf16>]>, tensor<64x64xf16>
    %g = tawa.get %ring[%i] : !tawa.aref<1, [tensor<64x64xf16>]> -> tensor<64x64xf16>
  }
  tawa.warp_group consumer warps(4) registers(0) {
  }
  tt.return
}

// -----

// put C2: a slot is released only by the role that borrowed it.
tt.func private @release(%i: i32, %t: tensor<64x64xf16>) {
  // expected-error @+1 {{role producer releases slots it never gets}}
  %ring = tawa.create_aref : !tawa.aref<1, [tensor<64x64xf16>]>
  tawa.warp_group producer warps(4) registers(0) {
    tawa.put %ring[%i], %t : !tawa.aref<1, [tensor<64x64xf16>]>, tensor<64x64xf16>
    tawa.consumed %ring[%i] : !tawa.aref<1, [tensor<64x64xf16>]>
  }
  tt.return
}

// -----

// producer_tail C1.
tt.func private @tail(%i: i32, %t: tensor<64x64xf16>) {
  %ring = tawa.create_aref : !tawa.aref<1, [tensor<64x64xf16>]>
  tawa.warp_group producer warps(4) registers(0) {
    tawa.put %ring[%i], %t : !tawa.aref<1, [tensor<64x64xf16>]>, tensor<64x64xf16>
  }
  tawa.warp_group consumer warps(4) registers(0) {
    // expected-error @+1 {{stands in a role that puts nothing into the ring}}
    tawa.producer_tail %ring[%i] : !tawa.aref<1, [tensor<64x64xf16>]>
  }
  tt.return
}

// -----

// get C1.
tt.func @get(%i: i32) {
  %ring = tawa.create_aref : !tawa.aref<1, [tensor<64x32xf16>]>
  // expected-error @+1 {{has 2 values, the ring carries 1}}
  %t:2 = tawa.get %ring[%i] : !tawa.aref<1, [tensor<64x32xf16>]> -> tensor<64x32xf16>, tensor<64x32xf16>
  tt.return
}

// -----

// put C3: a number for each value.
tt.func private @numbers(%a: tensor<64x32xf16>, %i: i32, %bits: i32) attributes {tawa.cluster = 2 : i32} {
  %ring = tawa.create_aref : !tawa.aref<1, [tensor<64x32xf16>]>
  // expected-error @+1 {{has 2 numbers of sharing for 1 values}}
  tawa.put %ring[%i], %a multicast(%bits, %bits) : !tawa.aref<1, [tensor<64x32xf16>]>, tensor<64x32xf16>
  tt.return
}

// -----

// put C3: only in a cluster.
tt.func private @alone(%a: tensor<64x32xf16>, %i: i32, %bits: i32) {
  %ring = tawa.create_aref : !tawa.aref<1, [tensor<64x32xf16>]>
  // expected-error @+1 {{is shared, but the function has no 'tawa.cluster'}}
  tawa.put %ring[%i], %a multicast(%bits) : !tawa.aref<1, [tensor<64x32xf16>]>, tensor<64x32xf16>
  tt.return
}

// -----

// put C3: all puts of a ring or none.
tt.func private @some(%a: tensor<64x32xf16>, %i: i32, %bits: i32) attributes {tawa.cluster = 2 : i32} {
  // expected-error @+1 {{is shared by a cluster in some of its puts only}}
  %ring = tawa.create_aref : !tawa.aref<1, [tensor<64x32xf16>]>
  tawa.put %ring[%i], %a multicast(%bits) : !tawa.aref<1, [tensor<64x32xf16>]>, tensor<64x32xf16>
  tawa.put %ring[%i], %a : !tawa.aref<1, [tensor<64x32xf16>]>, tensor<64x32xf16>
  tt.return
}

// -----

// dot_issue C1.
tt.func private @dot(%a: tensor<64x32xf16>, %b: tensor<64x64xf16>, %c: !tawa.inflight<tensor<64x64xf32>>) {
  // expected-error @+1 {{shapes do not multiply}}
  %r = tawa.dot_issue %a, %b, %c : tensor<64x32xf16>, tensor<64x64xf16> -> !tawa.inflight<tensor<64x64xf32>>
  tt.return
}

// -----

// dot_wait C1: what may still be written cannot be read.
tt.func private @wait(%c: !tawa.inflight<tensor<64x64xf32>>) {
  // expected-error @+1 {{with pendings(1) a dot can be read after which that many were issued, not 0}}
  %r = tawa.dot_wait %c pendings(1) : !tawa.inflight<tensor<64x64xf32>> -> tensor<64x64xf32>
  tt.return
}

// -----

// linear: sizes are powers of two.
// expected-error @+1 {{layout shape 12 is not a power of two}}
tt.func private @shape(%t: tensor<12xf32, #tawa.linear<[12], register = [[1]]>>) {
  tt.return
}

// -----

// linear: every coordinate lies inside the tensor.
// expected-error @+1 {{coordinate 16 lies outside dimension of size 16}}
tt.func private @coordinate(%t: tensor<16xf32, #tawa.linear<[16], register = [[16]]>>) {
  tt.return
}

// -----

tt.func private @turn_outside() {
  // expected-error @+1 {{stands in no role of whole warp groups}}
  tawa.pingpong_wait 0
  tt.return
}

// -----

tt.func private @turn_of_its_own() {
  tawa.warp_group producer warps(4) registers(0) {
    // expected-error @+1 {{group 0 is not one role that waits, with one other role of its size that passes to it}}
    tawa.pingpong_wait 0
    tawa.pingpong_pass 0
  }
  tt.return
}

// -----

tt.func private @turn_of_another_size() {
  tawa.warp_group producer warps(4) registers(0) {
    // expected-error @+1 {{group 0 is not one role that waits, with one other role of its size that passes to it}}
    tawa.pingpong_wait 0
  }
  tawa.warp_group consumer warps(8) registers(0) {
    tawa.pingpong_pass 0
  }
  tt.return
}

// -----

tt.func private @rank_of_one() {
  // expected-error @+1 {{stands in a function without tawa.split}}
  %rank = tawa.cluster_rank : i32
  tt.return
}

// -----

tt.func private @sum_of_one(%x: tensor<16xf32>) {
  // expected-error @+1 {{stands in a function without tawa.split}}
  %sum = tawa.cluster_sum %x : tensor<16xf32>
  tt.return
}

// -----

tt.func private @sum_in_a_loop(%x: tensor<16xf32>, %n: index) attributes {tawa.split = 2 : i32} {
  scf.for %i = %n to %n step %n {
    // expected-error @+1 {{stands in a loop}}
    %sum = tawa.cluster_sum %x : tensor<16xf32>
  }
  tt.return
}

// -----

tt.func private @sum_of_bytes(%x: tensor<16xi8>) attributes {tawa.split = 2 : i32} {
  // expected-error @+1 {{of 'i8'; elements have 16 or 32 bits}}
  %sum = tawa.cluster_sum %x : tensor<16xi8>
  tt.return
}

// -----

tt.func private @part_of_whole_tiles(%x: tensor<16xf32>, %slot: i32, %needed: i1) {
  // expected-error @+1 {{stands in a function without tawa.stream}}
  %kept = tawa.store_part %x in %slot if %needed : tensor<16xf32>
  tt.return
}

// -----

tt.func private @need_of_whole_tiles(%n: i32) {
  // expected-error @+1 {{stands in a function without tawa.stream}}
  %needed = tawa.needs_part %n of %n : i1
  tt.return
}

// -----

tt.func private @count_of_whole_tiles(%n: i32, %needed: i1) {
  // expected-error @+1 {{stands in a function without tawa.stream}}
  %complete = tawa.count_part %n of %n step %n if %needed : i1
  tt.return
}

// -----

tt.func private @part_of_bytes(%x: tensor<16xi8>, %slot: i32, %needed: i1) attributes {tawa.stream} {
  // expected-error @+1 {{of 'i8'; elements have 16 or 32 bits}}
  %kept = tawa.store_part %x in %slot if %needed : tensor<16xi8>
  tt.return
}

// -----

tt.func private @part_that_is_not_stored(%x: tensor<16xf32>, %n: i32, %complete: i1) attributes {tawa.stream} {
  // expected-error @+1 {{of a tensor that no tawa.store_part has stored}}
  %sum = tawa.sum_parts %x at %n of %n in %n step %n if %complete : tensor<16xf32>
  tt.return
}

// -----

tt.func private @descriptor_without_index(%p: !tt.ptr<f16>, %n: i32, %ld: i64) {
  %ring = tawa.create_aref : !tawa.aref<2, [tensor<16x16xf16>]>
  // expected-error @+1 {{describes 2 dimensions by 1 strides, after 0 rings by 0 indices}}
  %d = tawa.make_descriptor %p, [%n, %n], [%ld] : !tt.ptr<f16> -> !tt.tensordesc<tensor<16x16xf16>>
  tt.return
}

// -----

tt.func private @two_counters(%n: i32) {
  tawa.warp_group producer warps(4) registers(40) {
    // expected-error @+1 {{is not the only one of its kernel}}
    %first = tawa.next_tile from %n of %n : i32
    %second = tawa.next_tile from %n of %n : i32
  }
  tt.return
}

// -----

// aref C2: a number is alone.
tt.func @number_beside_tile() {
  // expected-error @+1 {{payload 'i32' is not a ranked tensor of static shape}}
  %ring = tawa.create_aref : !tawa.aref<1, [i32, tensor<16x16xf16>]>
  tt.return
}
