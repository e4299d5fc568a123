// Every operation, type and attribute of the tawa dialect prints as it was read.
// RUN: tawa-opt %s | tawa-opt | FileCheck %s

// CHECK-LABEL: tt.func private @ops
tt.func private @ops(%desc: !tt.tensordesc<tensor<128x64xf16>>, %i: i32, %zero: tensor<128x128xf32>) {
  // CHECK: [[RING:%.*]] = tawa.create_aref : <2, [tensor<128x64xf16>, tensor<128x64xf16>]>
  %ring = tawa.create_aref : !tawa.aref<2, [tensor<128x64xf16>, tensor<128x64xf16>]>
  // CHECK: tawa.warp_group producer warps(4) registers(40)
  tawa.warp_group producer warps(4) registers(40) {
    %a = tt.descriptor_load %desc[%i, %i] : !tt.tensordesc<tensor<128x64xf16>> -> tensor<128x64xf16>
    // CHECK: tawa.put [[RING]][%{{.*}}], [[A:%.*]], [[A]] : <2, [tensor<128x64xf16>, tensor<128x64xf16>]>, tensor<128x64xf16>, tensor<128x64xf16>
    tawa.put %ring[%i], %a, %a : !tawa.aref<2, [tensor<128x64xf16>, tensor<128x64xf16>]>, tensor<128x64xf16>, tensor<128x64xf16>
  }
  // CHECK: tawa.warp_group consumer warps(8) registers(0)
  tawa.warp_group consumer warps(8) registers(0) {
    %true = arith.constant true
    // CHECK: [[T:%.*]]:2 = tawa.get [[RING]][%{{.*}}] : <2, [{{.*}}]> -> tensor<128x64xf16>, tensor<128x64xf16>
    %t:2 = tawa.get %ring[%i] : !tawa.aref<2, [tensor<128x64xf16>, tensor<128x64xf16>]> -> tensor<128x64xf16>, tensor<128x64xf16>
    %b = tt.trans %t#1 {order = array<i32: 1, 0>} : tensor<128x64xf16> -> tensor<64x128xf16>
    // CHECK: [[S:%.*]] = tawa.dot_begin %{{.*}} : tensor<128x128xf32> -> <tensor<128x128xf32>>
    %s = tawa.dot_begin %zero : tensor<128x128xf32> -> !tawa.inflight<tensor<128x128xf32>>
    // CHECK: [[I:%.*]] = tawa.dot_issue [[T]]#0, %{{.*}}, [[S]] : tensor<128x64xf16>, tensor<64x128xf16> -> <tensor<128x128xf32>>
    %d = tawa.dot_issue %t#0, %b, %s : tensor<128x64xf16>, tensor<64x128xf16> -> !tawa.inflight<tensor<128x128xf32>>
    // CHECK: tawa.dot_wait [[I]] pendings(1) : <tensor<128x128xf32>> -> !tawa.inflight<tensor<128x128xf32>>
    %w = tawa.dot_wait %d pendings(1) : !tawa.inflight<tensor<128x128xf32>> -> !tawa.inflight<tensor<128x128xf32>>
    // CHECK: tawa.dot_wait {{.*}} pendings(0) : <tensor<128x128xf32>> -> tensor<128x128xf32>
    %r = tawa.dot_wait %w pendings(0) : !tawa.inflight<tensor<128x128xf32>> -> tensor<128x128xf32>
    // CHECK: [[O:%.*]] = tawa.dot_begin %{{.*}} overwritten : tensor<128x128xf32> -> <tensor<128x128xf32>>
    %o = tawa.dot_begin %zero overwritten : tensor<128x128xf32> -> !tawa.inflight<tensor<128x128xf32>>
    // CHECK: tawa.dot_issue [[T]]#0, %{{.*}}, [[O]] adding if %true : tensor<128x64xf16>, tensor<64x128xf16> -> <tensor<128x128xf32>>
    %e = tawa.dot_issue %t#0, %b, %o adding if %true : tensor<128x64xf16>, tensor<64x128xf16> -> !tawa.inflight<tensor<128x128xf32>>
    // CHECK: tawa.pingpong_wait 0 if %true
    tawa.pingpong_wait 0 if %true
    // CHECK: tawa.consumed [[RING]][%{{.*}}] if %{{.*}} : <2, [{{.*}}]>
    tawa.consumed %ring[%i] if %true : !tawa.aref<2, [tensor<128x64xf16>, tensor<128x64xf16>]>
  }
  tawa.warp_group producer warps(8) registers(0) {
    // CHECK: tawa.pingpong_pass 0{{$}}
    tawa.pingpong_pass 0
  }
  tt.return
}

// In a cluster a put says of each value which programs have it in common.
// CHECK-LABEL: tt.func private @shared
tt.func private @shared(%desc: !tt.tensordesc<tensor<128x64xf16>>, %i: i32, %bits: i32) attributes {tawa.cluster = 2 : i32} {
  %ring = tawa.create_aref : !tawa.aref<2, [tensor<128x64xf16>]>
  tawa.warp_group producer warps(4) registers(40) {
    %a = tt.descriptor_load %desc[%i, %i] : !tt.tensordesc<tensor<128x64xf16>> -> tensor<128x64xf16>
    // CHECK: tawa.put {{.*}}, {{.*}} multicast(%{{.*}}) : <2, [tensor<128x64xf16>]>, tensor<128x64xf16>
    tawa.put %ring[%i], %a multicast(%bits) : !tawa.aref<2, [tensor<128x64xf16>]>, tensor<128x64xf16>
  }
  tt.return
}

// A layout is a list of bases per input dimension, after the tensor's shape.
// CHECK-LABEL: tt.func private @layout
// CHECK-SAME: #tawa.linear<[16, 8], register = {{\[}}[0, 1], [8, 0]], lane = {{\[}}[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
tt.func private @layout(%t: tensor<16x8xf32, #tawa.linear<[16, 8], register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>>) {
  tt.return
}

// CHECK-LABEL: tt.func private @program_of_two
tt.func private @program_of_two(%part: tensor<64x16xf32>) attributes {tawa.split = 2 : i32} {
  // CHECK: tawa.cluster_rank : i32
  %rank = tawa.cluster_rank : i32
  // CHECK: tawa.cluster_sum %{{.*}} : tensor<64x16xf32>
  %sum = tawa.cluster_sum %part : tensor<64x16xf32>
  tt.return
}

// CHECK-LABEL: tt.func private @shared_tile
tt.func private @shared_tile(%part: tensor<64x16xf32>, %n: i32) attributes {tawa.stream} {
  // CHECK: %[[NEEDED:.*]] = tawa.needs_part %[[N:.*]] of %[[N]] : i1
  %needed = tawa.needs_part %n of %n : i1
  // CHECK: %[[KEPT:.*]] = tawa.store_part %{{.*}} in %[[N]] if %[[NEEDED]] : tensor<64x16xf32>
  %kept = tawa.store_part %part in %n if %needed : tensor<64x16xf32>
  // CHECK: %[[COMPLETE:.*]] = tawa.count_part %[[N]] of %[[N]] step %[[N]] if %[[NEEDED]] : i1
  %complete = tawa.count_part %n of %n step %n if %needed : i1
  // CHECK: tawa.sum_parts %[[KEPT]] at %[[N]] of %[[N]] in %[[N]] step %[[N]] if %[[COMPLETE]] : tensor<64x16xf32>
  %sum = tawa.sum_parts %kept at %n of %n in %n step %n if %complete : tensor<64x16xf32>
  tt.return
}

// A ring that holds a number, and the tile that its producer takes.
// CHECK-LABEL: tt.func private @numbers
tt.func private @numbers(%n: i32, %tiles: i32) {
  // CHECK: %[[RING:.*]] = tawa.create_aref : <2, [i32]>
  %ring = tawa.create_aref : !tawa.aref<2, [i32]>
  tawa.warp_group producer warps(4) registers(40) {
    // CHECK: %[[NEXT:.*]] = tawa.next_tile from %[[N:.*]] of %{{.*}} : i32
    %next = tawa.next_tile from %n of %tiles : i32
    // CHECK: tawa.put %[[RING]][%[[N]]], %[[NEXT]] : <2, [i32]>, i32
    tawa.put %ring[%n], %next : !tawa.aref<2, [i32]>, i32
  }
  tawa.warp_group consumer warps(4) registers(208) {
    // CHECK: tawa.get %[[RING]][%[[N]]] : <2, [i32]> -> i32
    %next = tawa.get %ring[%n] : !tawa.aref<2, [i32]> -> i32
    tawa.consumed %ring[%n] : !tawa.aref<2, [i32]>
  }
  tt.return
}
