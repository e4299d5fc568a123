// A CTA of a cluster ends when all slots of the rings that it shares have been given back.
//
// RUN: tawa-opt %s --split-input-file --tawa-prove-protocol --verify-diagnostics | FileCheck %s

// CHECK: module attributes {tawa.proved = {{[0-9]+}} : i32}
// CHECK-LABEL: @tail
module {
  tt.func @tail(%desc: !tt.tensordesc<tensor<64x64xf16>>, %count: i32) attributes {tawa.cluster = 2 : i32} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %both = arith.constant 1 : i32
    %ring = tawa.create_aref : !tawa.aref<3, [tensor<64x64xf16>]>
    tawa.warp_group producer warps(4) registers(40) {
      %puts = scf.for %k = %c0 to %count step %c1 iter_args(%n = %c0) -> (i32) : i32 {
        %a = tt.descriptor_load %desc[%c0, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
        tawa.put %ring[%n], %a multicast(%both) : !tawa.aref<3, [tensor<64x64xf16>]>, tensor<64x64xf16>
        %next = arith.addi %n, %c1 : i32
        scf.yield %next : i32
      }
      tawa.producer_tail %ring[%puts] : !tawa.aref<3, [tensor<64x64xf16>]>
    }
    tawa.warp_group consumer warps(4) registers(232) {
      %gets = scf.for %k = %c0 to %count step %c1 iter_args(%n = %c0) -> (i32) : i32 {
        %a = tawa.get %ring[%n] : !tawa.aref<3, [tensor<64x64xf16>]> -> tensor<64x64xf16>
        tawa.consumed %ring[%n] : !tawa.aref<3, [tensor<64x64xf16>]>
        %next = arith.addi %n, %c1 : i32
        scf.yield %next : i32
      }
    }
    tt.return
  }
}

// -----

// CHECK: tawa.unproved
// CHECK-LABEL: @no_tail
// expected-remark @+1 {{not proved: a CTA may end while others of its cluster give back slots of ring 0}}
module {
  tt.func @no_tail(%desc: !tt.tensordesc<tensor<64x64xf16>>, %count: i32) attributes {tawa.cluster = 2 : i32} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %both = arith.constant 1 : i32
    %ring = tawa.create_aref : !tawa.aref<3, [tensor<64x64xf16>]>
    tawa.warp_group producer warps(4) registers(40) {
      %puts = scf.for %k = %c0 to %count step %c1 iter_args(%n = %c0) -> (i32) : i32 {
        %a = tt.descriptor_load %desc[%c0, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
        tawa.put %ring[%n], %a multicast(%both) : !tawa.aref<3, [tensor<64x64xf16>]>, tensor<64x64xf16>
        %next = arith.addi %n, %c1 : i32
        scf.yield %next : i32
      }
    }
    tawa.warp_group consumer warps(4) registers(232) {
      %gets = scf.for %k = %c0 to %count step %c1 iter_args(%n = %c0) -> (i32) : i32 {
        %a = tawa.get %ring[%n] : !tawa.aref<3, [tensor<64x64xf16>]> -> tensor<64x64xf16>
        tawa.consumed %ring[%n] : !tawa.aref<3, [tensor<64x64xf16>]>
        %next = arith.addi %n, %c1 : i32
        scf.yield %next : i32
      }
    }
    tt.return
  }
}

// -----

// Counted from the last put instead of the next one: one slot would not be waited for.
// CHECK: tawa.unproved
// CHECK-LABEL: @counts_less
module {
  tt.func @counts_less(%desc: !tt.tensordesc<tensor<64x64xf16>>) attributes {tawa.cluster = 2 : i32} {
    %c0 = arith.constant 0 : i32
    %both = arith.constant 1 : i32
    %ring = tawa.create_aref : !tawa.aref<3, [tensor<64x64xf16>]>
    tawa.warp_group producer warps(4) registers(40) {
      %a = tt.descriptor_load %desc[%c0, %c0] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      tawa.put %ring[%c0], %a multicast(%both) : !tawa.aref<3, [tensor<64x64xf16>]>, tensor<64x64xf16>
      // expected-remark @+1 {{not proved: this does not wait for the 3 slots of ring 0}}
      tawa.producer_tail %ring[%c0] : !tawa.aref<3, [tensor<64x64xf16>]>
    }
    tawa.warp_group consumer warps(4) registers(232) {
      %a = tawa.get %ring[%c0] : !tawa.aref<3, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      tawa.consumed %ring[%c0] : !tawa.aref<3, [tensor<64x64xf16>]>
    }
    tt.return
  }
}
