// A producer hands numbers to a consumer; the loops of both end, and go round inside, by these. Every other run changes
// one line.
//
// RUN: tawa-opt %s --tawa-prove-protocol | FileCheck %s
// CHECK: module attributes {tawa.proved = {{[0-9]+}} : i32}
//
// What is put is not what the producer goes on with.
// RUN: sed 's/tawa.put %%numbers\[%%m\], %%next/tawa.put %%numbers[%%m], %%tile/' %s | tawa-opt --tawa-prove-protocol 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: not proved: deadlock
//
// The consumer goes on with another number than it got.
// RUN: sed 's/scf.yield %%given, /scf.yield %%later, /' %s | tawa-opt --tawa-prove-protocol 2>&1 | FileCheck %s --check-prefix=USED
// USED: not proved: deadlock
//
// RUN: grep -v 'gives the number back' %s | tawa-opt --tawa-prove-protocol 2>&1 | FileCheck %s --check-prefix=KEPT
// KEPT: not proved: {{.*}} ring 1
//
// RUN: sed 's/%%given = tawa.get %%numbers\[%%m\]/%%given = tawa.get %%numbers[%%zero]/' %s | tawa-opt --tawa-prove-protocol 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: not proved: deadlock
module {
  tt.func @numbers(%desc: !tt.tensordesc<tensor<64x64xf16>>, %tiles: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %cta = tt.get_program_id x : i32
    %ctas = tt.get_num_programs x : i32
    %ring = tawa.create_aref : !tawa.aref<3, [tensor<64x64xf16>]>
    %numbers = tawa.create_aref : !tawa.aref<2, [i32]>
    tawa.warp_group producer warps(4) registers(40) {
      %end:3 = scf.while (%t = %cta, %k = %zero, %i = %zero) : (i32, i32, i32) -> (i32, i32, i32) {
        %more = arith.cmpi slt, %t, %tiles : i32
        scf.condition(%more) %t, %k, %i : i32, i32, i32
      } do {
      ^bb0(%tile: i32, %n: i32, %m: i32):
        %puts = scf.for %j = %zero to %tile step %one iter_args(%l = %n) -> (i32) : i32 {
          %a = tt.descriptor_load %desc[%tile, %j] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
          tawa.put %ring[%l], %a : !tawa.aref<3, [tensor<64x64xf16>]>, tensor<64x64xf16>
          %after = arith.addi %l, %one : i32
          scf.yield %after : i32
        }
        %next = tawa.next_tile from %ctas of %tiles : i32
        tawa.put %numbers[%m], %next : !tawa.aref<2, [i32]>, i32
        %count = arith.addi %m, %one : i32
        scf.yield %next, %puts, %count : i32, i32, i32
      }
    }
    tawa.warp_group consumer warps(4) registers(208) {
      %end:3 = scf.while (%t = %cta, %k = %zero, %i = %zero) : (i32, i32, i32) -> (i32, i32, i32) {
        %more = arith.cmpi slt, %t, %tiles : i32
        scf.condition(%more) %t, %k, %i : i32, i32, i32
      } do {
      ^bb0(%tile: i32, %n: i32, %m: i32):
        %gets = scf.for %j = %zero to %tile step %one iter_args(%l = %n) -> (i32) : i32 {
          %a = tawa.get %ring[%l] : !tawa.aref<3, [tensor<64x64xf16>]> -> tensor<64x64xf16>
          tawa.consumed %ring[%l] : !tawa.aref<3, [tensor<64x64xf16>]>
          %after = arith.addi %l, %one : i32
          scf.yield %after : i32
        }
        %given = tawa.get %numbers[%m] : !tawa.aref<2, [i32]> -> i32
        tawa.consumed %numbers[%m] : !tawa.aref<2, [i32]> // gives the number back
        %later = arith.addi %given, %one : i32
        %count = arith.addi %m, %one : i32
        scf.yield %given, %gets, %count : i32, i32, i32
      }
    }
    tt.return
  }
}
