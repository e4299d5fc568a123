// Consumer groups that alternate over tiles: each has its own copy of the tile loop, does every second tile, and counts the slots of the others.
// RUN: tawa-opt %s --tawa-specialize-arguments --tawa-make-persistent=groups=2 --tawa-partition-roles --tawa-distribute-roles --canonicalize --cse -split-input-file | FileCheck %s
// RUN: tawa-opt %s --tawa-specialize-arguments --tawa-make-persistent=groups=2 --tawa-partition-roles --tawa-distribute-roles --tawa-pipeline-dots=mma-depth=2 --canonicalize --cse -split-input-file 2>/dev/null | FileCheck %s --check-prefix=PIPE
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-specialize-arguments --tawa-make-persistent=groups=2 --tawa-partition-roles --tawa-distribute-roles --canonicalize --cse -split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-make-persistent{{$}}
// COUNTS: {{^ *}}1 num-alternating:
// COUNTS: {{^ *}}1 num-equal:
// COUNTS: {{^ *}}1 num-kept:
// COUNTS-NEXT: 1 a tile needs what an earlier one computed or wrote, so consumer groups cannot alternate over tiles
// COUNTS: {{^ *}}1 num-loops:
// COUNTS: {{^ *}}1 num-marked:

// CHECK-LABEL: @tiles
// CHECK: tawa.warp_group producer warps(4)
// CHECK-NOT: tawa.pingpong
// CHECK: tawa.warp_group consumer warps(4)
// CHECK: scf.for %[[TILE:.*]] = %[[CTA:.*]] to %[[END:.*]] step %[[STEP:.*]] iter_args(%[[N:.*]] = %c0_i32, %[[WHOSE:.*]] = %c0_i32)
// CHECK:   %[[MINE:.*]] = arith.cmpi eq, %[[WHOSE]], %c0_i32
// CHECK:   %[[NEXT:.*]] = scf.if %[[MINE]] -> (i32) {
// CHECK-DAG:  %[[NOTFIRST:.*]] = arith.cmpi ne, %[[TILE]], %[[CTA]]
// CHECK-DAG:  %[[LEFT:.*]] = arith.subi %[[END]], %[[TILE]]
// CHECK-DAG:  %[[NOTLAST:.*]] = arith.cmpi sgt, %[[LEFT]], %[[STEP]]
// CHECK:     tawa.pingpong_wait 0 if %[[NOTFIRST]]
// CHECK:     %[[LOOP:.*]]:2 = scf.for
// CHECK:       tawa.get
// CHECK:       tt.dot
// CHECK:       tawa.consumed
// CHECK:     tawa.pingpong_pass 1 if %[[NOTLAST]]
// CHECK:     tt.descriptor_store
// CHECK:     scf.yield %[[LOOP]]#1
// CHECK:   } else {
// CHECK-NOT: tawa
// CHECK:     %[[TRIPS:.*]] = arith.select %{{.*}}, %{{.*}}, %c0_i32
// CHECK:     %[[SKIPPED:.*]] = arith.addi %[[N]], %[[TRIPS]]
// CHECK:     scf.yield %[[SKIPPED]]
// CHECK:   }
// CHECK: tawa.warp_group consumer warps(4)
// CHECK:   arith.cmpi eq, %{{.*}}, %c1_i32
// CHECK:     tawa.pingpong_wait 1{{$}}
// CHECK:     tawa.pingpong_pass 0 if
// The next group is passed to before the last dots are waited for, and also where there is nothing to multiply.
// PIPE-LABEL: @tiles
// PIPE: tawa.pingpong_wait 0
// PIPE: scf.if
// PIPE:   scf.for
// PIPE:     tawa.dot_issue {{.*}} adding if
// PIPE:   tawa.pingpong_pass 1
// PIPE:   tawa.dot_wait {{.*}} pendings(0)
// PIPE: } else {
// PIPE:   tawa.pingpong_pass 1
// PIPE: }
// PIPE: tt.descriptor_store
tt.func public @tiles(%a: !tt.tensordesc<tensor<64x64xf16>>, %c: !tt.tensordesc<tensor<64x64xf16>>, %k: i32) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %tile = tt.get_program_id x : i32
  %s = scf.for %i = %c0 to %k step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
    %t = tt.descriptor_load %a[%tile, %i] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
    %d = tt.dot %t, %t, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %r = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xf16>
  tt.descriptor_store %c[%tile, %c0], %r : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16>
  tt.return
}

// -----

// A sum over tiles: no group can do one tile without the others.
// CHECK: module attributes {tawa.not_applied = {schedule = "a tile needs what an earlier one computed
// CHECK-LABEL: @sum
// CHECK-NOT: tawa.pingpong
tt.func public @sum(%a: !tt.tensordesc<tensor<64x64xf16>>, %c: !tt.tensordesc<tensor<64x64xf16>>, %n: i32) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c132 = arith.constant 132 : i32
  %c0 = arith.constant 0 : i32
  %tile = tt.get_program_id x : i32
  %s = scf.for %i = %tile to %n step %c132 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
    %t = tt.descriptor_load %a[%i, %c0] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
    %d = tt.dot %t, %t, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %r = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xf16>
  tt.descriptor_store %c[%tile, %c0], %r : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16>
  tt.return
}
