// Roles and rings that are right for every trip count, and what is said where they are not.
//
// RUN: tawa-opt %s --split-input-file --tawa-prove-protocol --verify-diagnostics | FileCheck %s

// CHECK: module attributes {tawa.proved = {{[0-9]+}} : i32}
// CHECK-LABEL: @delayed_release
module {
  tt.func @delayed_release(%desc: !tt.tensordesc<tensor<64x64xf16>>, %count: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %ring = tawa.create_aref : !tawa.aref<3, [tensor<64x64xf16>, tensor<64x64xf16>]>
    tawa.warp_group "producer" warps(4) registers(40) {
      %puts = scf.for %k = %c0 to %count step %c1 iter_args(%n = %c0) -> (i32) : i32 {
        %a = tt.descriptor_load %desc[%c0, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
        tawa.put %ring[%n], %a, %a : !tawa.aref<3, [tensor<64x64xf16>, tensor<64x64xf16>]>, tensor<64x64xf16>, tensor<64x64xf16>
        %next = arith.addi %n, %c1 : i32
        scf.yield %next : i32
      }
    }
    tawa.warp_group "consumer" warps(4) registers(232) {
      %start = tawa.dot_begin %zero : tensor<64x64xf32> -> !tawa.inflight<tensor<64x64xf32>>
      %sum:2 = scf.for %k = %c0 to %count step %c1 iter_args(%acc = %start, %n = %c0) -> (!tawa.inflight<tensor<64x64xf32>>, i32) : i32 {
        %a, %b = tawa.get %ring[%n] : !tawa.aref<3, [tensor<64x64xf16>, tensor<64x64xf16>]> -> tensor<64x64xf16>, tensor<64x64xf16>
        %issued = tawa.dot_issue %a, %b, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> !tawa.inflight<tensor<64x64xf32>>
        %waited = tawa.dot_wait %issued pendings(1) : !tawa.inflight<tensor<64x64xf32>> -> !tawa.inflight<tensor<64x64xf32>>
        %last = arith.subi %n, %c1 : i32
        %exists = arith.cmpi uge, %n, %c1 : i32
        tawa.consumed %ring[%last] if %exists : !tawa.aref<3, [tensor<64x64xf16>, tensor<64x64xf16>]>
        %next = arith.addi %n, %c1 : i32
        scf.yield %waited, %next : !tawa.inflight<tensor<64x64xf32>>, i32
      }
      %done = tawa.dot_wait %sum#0 pendings(0) : !tawa.inflight<tensor<64x64xf32>> -> tensor<64x64xf32>
      %last = arith.subi %sum#1, %c1 : i32
      %exists = arith.cmpi uge, %sum#1, %c1 : i32
      tawa.consumed %ring[%last] if %exists : !tawa.aref<3, [tensor<64x64xf16>, tensor<64x64xf16>]>
    }
    tt.return
  }
}

// -----

// The slot goes back while the dot that reads it is in flight.
// CHECK: tawa.unproved
// CHECK-LABEL: @early_release
module {
  tt.func @early_release(%desc: !tt.tensordesc<tensor<64x64xf16>>, %count: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %ring = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
    tawa.warp_group "producer" warps(4) registers(40) {
      %puts = scf.for %k = %c0 to %count step %c1 iter_args(%n = %c0) -> (i32) : i32 {
        %a = tt.descriptor_load %desc[%c0, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
        // expected-remark @+1 {{not proved: an asynchronous write by the producer may meet an asynchronous read by the consumer ('tawa.dot_issue') of the same bytes}}
        tawa.put %ring[%n], %a : !tawa.aref<2, [tensor<64x64xf16>]>, tensor<64x64xf16>
        %next = arith.addi %n, %c1 : i32
        scf.yield %next : i32
      }
    }
    tawa.warp_group "consumer" warps(4) registers(232) {
      %start = tawa.dot_begin %zero : tensor<64x64xf32> -> !tawa.inflight<tensor<64x64xf32>>
      %sum:2 = scf.for %k = %c0 to %count step %c1 iter_args(%acc = %start, %n = %c0) -> (!tawa.inflight<tensor<64x64xf32>>, i32) : i32 {
        %a = tawa.get %ring[%n] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
        %issued = tawa.dot_issue %a, %a, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> !tawa.inflight<tensor<64x64xf32>>
        %waited = tawa.dot_wait %issued pendings(1) : !tawa.inflight<tensor<64x64xf32>> -> !tawa.inflight<tensor<64x64xf32>>
        tawa.consumed %ring[%n] : !tawa.aref<2, [tensor<64x64xf16>]>
        %next = arith.addi %n, %c1 : i32
        scf.yield %waited, %next : !tawa.inflight<tensor<64x64xf32>>, i32
      }
      %done = tawa.dot_wait %sum#0 pendings(0) : !tawa.inflight<tensor<64x64xf32>> -> tensor<64x64xf32>
    }
    tt.return
  }
}

// -----

// Two rings that the roles come by in different orders: with one slot each, both wait for ever.
// CHECK: tawa.unproved
// CHECK-LABEL: @circle
module {
  tt.func @circle(%desc: !tt.tensordesc<tensor<64x64xf16>>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %first = tawa.create_aref : !tawa.aref<1, [tensor<64x64xf16>]>
    %second = tawa.create_aref : !tawa.aref<1, [tensor<64x64xf16>]>
    tawa.warp_group "producer" warps(4) registers(40) {
      %a = tt.descriptor_load %desc[%c0, %c0] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      tawa.put %first[%c0], %a : !tawa.aref<1, [tensor<64x64xf16>]>, tensor<64x64xf16>
      // expected-remark @+1 {{not proved: nobody can go on: the producer waits for barrier empty[0], which lacks 1 of 1 arrivals; the consumer waits for barrier full[0], which lacks 1 of 1 arrivals}}
      tawa.put %first[%c1], %a : !tawa.aref<1, [tensor<64x64xf16>]>, tensor<64x64xf16>
      tawa.put %second[%c0], %a : !tawa.aref<1, [tensor<64x64xf16>]>, tensor<64x64xf16>
    }
    tawa.warp_group "consumer" warps(4) registers(232) {
      %b = tawa.get %second[%c0] : !tawa.aref<1, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      %a = tawa.get %first[%c0] : !tawa.aref<1, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      tawa.consumed %first[%c0] : !tawa.aref<1, [tensor<64x64xf16>]>
      tawa.consumed %second[%c0] : !tawa.aref<1, [tensor<64x64xf16>]>
    }
    tt.return
  }
}

// -----

// Bounds that are not the same expression need not be the same number.
// CHECK: tawa.unproved
// CHECK-LABEL: @other_bound
module {
  tt.func @other_bound(%desc: !tt.tensordesc<tensor<64x64xf16>>, %count: i32, %other: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %ring = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
    tawa.warp_group "producer" warps(4) registers(40) {
      // expected-remark @+1 {{not proved: the producer and the consumer come to loops or conditions that are not known to be alike}}
      %puts = scf.for %k = %c0 to %count step %c1 iter_args(%n = %c0) -> (i32) : i32 {
        %a = tt.descriptor_load %desc[%c0, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
        tawa.put %ring[%n], %a : !tawa.aref<2, [tensor<64x64xf16>]>, tensor<64x64xf16>
        %next = arith.addi %n, %c1 : i32
        scf.yield %next : i32
      }
    }
    tawa.warp_group "consumer" warps(4) registers(232) {
      %gets = scf.for %k = %c0 to %other step %c1 iter_args(%n = %c0) -> (i32) : i32 {
        %a = tawa.get %ring[%n] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
        tawa.consumed %ring[%n] : !tawa.aref<2, [tensor<64x64xf16>]>
        %next = arith.addi %n, %c1 : i32
        scf.yield %next : i32
      }
    }
    tt.return
  }
}
