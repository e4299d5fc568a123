// Roles and rings that are correct for every trip count, and the diagnostics where they are not.
//
// RUN: tawa-opt %s --split-input-file --tawa-prove-protocol --verify-diagnostics | FileCheck %s
// RUN: tawa-opt --mlir-pass-statistics %s --split-input-file --tawa-prove-protocol -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-prove-protocol{{$}}
// COUNTS: {{^ *}}3 num-proved:
// COUNTS: {{^ *}}127 num-states:
// COUNTS: {{^ *}}8 num-unproved:
// COUNTS-NEXT: 1 a slot of ring 0 is given back while a dot may still read it

// CHECK: module attributes {tawa.proved = {{[0-9]+}} : i32}
// CHECK-LABEL: @delayed_release
module {
  tt.func @delayed_release(%desc: !tt.tensordesc<tensor<64x64xf16>>, %count: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %ring = tawa.create_aref : !tawa.aref<3, [tensor<64x64xf16>, tensor<64x64xf16>]>
    tawa.warp_group producer warps(4) registers(40) {
      %puts = scf.for %k = %c0 to %count step %c1 iter_args(%n = %c0) -> (i32) : i32 {
        %a = tt.descriptor_load %desc[%c0, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
        tawa.put %ring[%n], %a, %a : !tawa.aref<3, [tensor<64x64xf16>, tensor<64x64xf16>]>, tensor<64x64xf16>, tensor<64x64xf16>
        %next = arith.addi %n, %c1 : i32
        scf.yield %next : i32
      }
    }
    tawa.warp_group consumer warps(4) registers(232) {
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
    tawa.warp_group producer warps(4) registers(40) {
      %puts = scf.for %k = %c0 to %count step %c1 iter_args(%n = %c0) -> (i32) : i32 {
        %a = tt.descriptor_load %desc[%c0, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
        tawa.put %ring[%n], %a : !tawa.aref<2, [tensor<64x64xf16>]>, tensor<64x64xf16>
        %next = arith.addi %n, %c1 : i32
        scf.yield %next : i32
      }
    }
    tawa.warp_group consumer warps(4) registers(232) {
      %start = tawa.dot_begin %zero : tensor<64x64xf32> -> !tawa.inflight<tensor<64x64xf32>>
      %sum:2 = scf.for %k = %c0 to %count step %c1 iter_args(%acc = %start, %n = %c0) -> (!tawa.inflight<tensor<64x64xf32>>, i32) : i32 {
        %a = tawa.get %ring[%n] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
        %issued = tawa.dot_issue %a, %a, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> !tawa.inflight<tensor<64x64xf32>>
        %waited = tawa.dot_wait %issued pendings(1) : !tawa.inflight<tensor<64x64xf32>> -> !tawa.inflight<tensor<64x64xf32>>
        // expected-remark @+1 {{not proved: a slot of ring 0 is given back while a dot may still read it (when the loop at 13:15 runs 1 iteration)}}
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

// Two rings that the roles use in different orders: with one slot each, they deadlock.
// CHECK: tawa.unproved
// CHECK-LABEL: @circle
module {
  tt.func @circle(%desc: !tt.tensordesc<tensor<64x64xf16>>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %first = tawa.create_aref : !tawa.aref<1, [tensor<64x64xf16>]>
    %second = tawa.create_aref : !tawa.aref<1, [tensor<64x64xf16>]>
    tawa.warp_group producer warps(4) registers(40) {
      %a = tt.descriptor_load %desc[%c0, %c0] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      tawa.put %first[%c0], %a : !tawa.aref<1, [tensor<64x64xf16>]>, tensor<64x64xf16>
      // expected-remark @+1 {{not proved: deadlock: the producer waits for one of 1 slots of ring 0; the consumer waits for a tile of ring 1}}
      tawa.put %first[%c1], %a : !tawa.aref<1, [tensor<64x64xf16>]>, tensor<64x64xf16>
      tawa.put %second[%c0], %a : !tawa.aref<1, [tensor<64x64xf16>]>, tensor<64x64xf16>
    }
    tawa.warp_group consumer warps(4) registers(232) {
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
    tawa.warp_group producer warps(4) registers(40) {
      %puts = scf.for %k = %c0 to %count step %c1 iter_args(%n = %c0) -> (i32) : i32 {
        %a = tt.descriptor_load %desc[%c0, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
        tawa.put %ring[%n], %a : !tawa.aref<2, [tensor<64x64xf16>]>, tensor<64x64xf16>
        %next = arith.addi %n, %c1 : i32
        scf.yield %next : i32
      }
    }
    tawa.warp_group consumer warps(4) registers(232) {
      %gets = scf.for %k = %c0 to %other step %c1 iter_args(%n = %c0) -> (i32) : i32 {
        // expected-remark @+1 {{not proved: deadlock: the consumer waits for a tile of ring 0 (when the loop at 12:15 ends, the loop at 20:15 runs 1 iteration)}}
        %a = tawa.get %ring[%n] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
        tawa.consumed %ring[%n] : !tawa.aref<2, [tensor<64x64xf16>]>
        %next = arith.addi %n, %c1 : i32
        scf.yield %next : i32
      }
    }
    tt.return
  }
}

// -----

// The next tile is got before this one is given back; the first and the last stand outside of the loop.
// CHECK: module attributes {tawa.proved = {{[0-9]+}} : i32}
// CHECK-LABEL: @peeled
module {
  tt.func @peeled(%desc: !tt.tensordesc<tensor<64x64xf16>>, %count: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %ring = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
    tawa.warp_group producer warps(4) registers(40) {
      %puts = scf.for %k = %c0 to %count step %c1 iter_args(%n = %c0) -> (i32) : i32 {
        %a = tt.descriptor_load %desc[%c0, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
        tawa.put %ring[%n], %a : !tawa.aref<2, [tensor<64x64xf16>]>, tensor<64x64xf16>
        %next = arith.addi %n, %c1 : i32
        scf.yield %next : i32
      }
    }
    tawa.warp_group consumer warps(4) registers(232) {
      %some = arith.cmpi slt, %c0, %count : i32
      scf.if %some {
        %first = tawa.get %ring[%c0] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
        %last:2 = scf.for %k = %c1 to %count step %c1 iter_args(%a = %first, %n = %c0) -> (tensor<64x64xf16>, i32) : i32 {
          %next = arith.addi %n, %c1 : i32
          %b = tawa.get %ring[%next] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
          %read = arith.addf %a, %a : tensor<64x64xf16>
          tawa.consumed %ring[%n] : !tawa.aref<2, [tensor<64x64xf16>]>
          scf.yield %b, %next : tensor<64x64xf16>, i32
        }
        %read = arith.addf %last#0, %last#0 : tensor<64x64xf16>
        tawa.consumed %ring[%last#1] : !tawa.aref<2, [tensor<64x64xf16>]>
      }
    }
    tt.return
  }
}

// -----

// A tile is read after its release.
// CHECK: tawa.unproved
// CHECK-LABEL: @read_late
module {
  tt.func @read_late(%desc: !tt.tensordesc<tensor<64x64xf16>>, %count: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %ring = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
    tawa.warp_group producer warps(4) registers(40) {
      %puts = scf.for %k = %c0 to %count step %c1 iter_args(%n = %c0) -> (i32) : i32 {
        %a = tt.descriptor_load %desc[%c0, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
        tawa.put %ring[%n], %a : !tawa.aref<2, [tensor<64x64xf16>]>, tensor<64x64xf16>
        %next = arith.addi %n, %c1 : i32
        scf.yield %next : i32
      }
    }
    tawa.warp_group consumer warps(4) registers(232) {
      %gets = scf.for %k = %c0 to %count step %c1 iter_args(%n = %c0) -> (i32) : i32 {
        %a = tawa.get %ring[%n] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
        tawa.consumed %ring[%n] : !tawa.aref<2, [tensor<64x64xf16>]>
        // expected-remark @+1 {{not proved: a tile of ring 0 is read after its slot was given back (when the loop at 13:15 runs 1 iteration)}}
        %read = arith.addf %a, %a : tensor<64x64xf16>
        %next = arith.addi %n, %c1 : i32
        scf.yield %next : i32
      }
    }
    tt.return
  }
}

// -----

// A slot is given back twice.
// CHECK: tawa.unproved
// CHECK-LABEL: @released_twice
module {
  tt.func @released_twice(%desc: !tt.tensordesc<tensor<64x64xf16>>, %count: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %ring = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
    tawa.warp_group producer warps(4) registers(40) {
      %puts = scf.for %k = %c0 to %count step %c1 iter_args(%n = %c0) -> (i32) : i32 {
        %a = tt.descriptor_load %desc[%c0, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
        tawa.put %ring[%n], %a : !tawa.aref<2, [tensor<64x64xf16>]>, tensor<64x64xf16>
        %next = arith.addi %n, %c1 : i32
        scf.yield %next : i32
      }
    }
    tawa.warp_group consumer warps(4) registers(232) {
      %gets = scf.for %k = %c0 to %count step %c1 iter_args(%n = %c0) -> (i32) : i32 {
        %a = tawa.get %ring[%n] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
        tawa.consumed %ring[%n] : !tawa.aref<2, [tensor<64x64xf16>]>
        // expected-remark @+1 {{not proved: this slot of ring 0 is not borrowed by the consumer: it was not got yet, or given back already (when the loop at 13:15 runs 1 iteration)}}
        tawa.consumed %ring[%n] : !tawa.aref<2, [tensor<64x64xf16>]>
        %next = arith.addi %n, %c1 : i32
        scf.yield %next : i32
      }
    }
    tt.return
  }
}

// -----

// Gets are counted from one.
// CHECK: tawa.unproved
// CHECK-LABEL: @wrong_index
module {
  tt.func @wrong_index(%desc: !tt.tensordesc<tensor<64x64xf16>>, %count: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %ring = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
    tawa.warp_group producer warps(4) registers(40) {
      %puts = scf.for %k = %c0 to %count step %c1 iter_args(%n = %c0) -> (i32) : i32 {
        %a = tt.descriptor_load %desc[%c0, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
        tawa.put %ring[%n], %a : !tawa.aref<2, [tensor<64x64xf16>]>, tensor<64x64xf16>
        %next = arith.addi %n, %c1 : i32
        scf.yield %next : i32
      }
    }
    tawa.warp_group consumer warps(4) registers(232) {
      %gets = scf.for %k = %c0 to %count step %c1 iter_args(%n = %c1) -> (i32) : i32 {
        // expected-remark @+1 {{not proved: this index is 1 more than the number of gets from ring 0 before it (when the loop at 13:15 runs 1 iteration)}}
        %a = tawa.get %ring[%n] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
        tawa.consumed %ring[%n] : !tawa.aref<2, [tensor<64x64xf16>]>
        %next = arith.addi %n, %c1 : i32
        scf.yield %next : i32
      }
    }
    tt.return
  }
}

// -----

// A dot without a wait.
// CHECK: tawa.unproved
// CHECK-LABEL: @read_in_flight
module {
  tt.func @read_in_flight(%desc: !tt.tensordesc<tensor<64x64xf16>>, %count: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %ring = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
    tawa.warp_group producer warps(4) registers(40) {
      %puts = scf.for %k = %c0 to %count step %c1 iter_args(%n = %c0) -> (i32) : i32 {
        %a = tt.descriptor_load %desc[%c0, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
        tawa.put %ring[%n], %a : !tawa.aref<2, [tensor<64x64xf16>]>, tensor<64x64xf16>
        %next = arith.addi %n, %c1 : i32
        scf.yield %next : i32
      }
    }
    %zero16 = arith.constant dense<0.000000e+00> : tensor<64x64xf16>
    tawa.warp_group consumer warps(4) registers(232) {
      %start = tawa.dot_begin %zero : tensor<64x64xf32> -> !tawa.inflight<tensor<64x64xf32>>
      %sum:2 = scf.for %k = %c0 to %count step %c1 iter_args(%acc = %start, %n = %c0) -> (!tawa.inflight<tensor<64x64xf32>>, i32) : i32 {
        %a = tawa.get %ring[%n] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
        %issued = tawa.dot_issue %a, %a, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> !tawa.inflight<tensor<64x64xf32>>
        %waited = tawa.dot_wait %issued pendings(0) : !tawa.inflight<tensor<64x64xf32>> -> !tawa.inflight<tensor<64x64xf32>>
        tawa.consumed %ring[%n] : !tawa.aref<2, [tensor<64x64xf16>]>
        %next = arith.addi %n, %c1 : i32
        scf.yield %issued, %next : !tawa.inflight<tensor<64x64xf32>>, i32
      }
      // expected-remark @+1 {{not proved: the consumer ends with dots in flight (when the loop at 13:15 ends)}}
      %more = tawa.dot_issue %zero16, %zero16, %sum#0 : tensor<64x64xf16>, tensor<64x64xf16> -> !tawa.inflight<tensor<64x64xf32>>
    }
    tt.return
  }
}

// -----

// What is at hand when the kernel begins is not enough.
// CHECK: tawa.unproved
// CHECK-LABEL: @registers
module {
  // expected-remark @+1 {{not proved: the roles ask for 66560 registers, and 64512 are there at entry}}
  tt.func @registers() {
    tawa.warp_group producer warps(4) registers(40) {
    }
    tawa.warp_group consumer warps(8) registers(240) {
    }
    tt.return
  }
}

// -----

// Two consumers that alternate over tiles; the one that leaves a tile out counts its rounds.
// CHECK: module attributes {tawa.proved = {{[0-9]+}} : i32}
// CHECK-LABEL: @ping_pong
module {
  tt.func @ping_pong(%desc: !tt.tensordesc<tensor<64x64xf16>>, %count: i32, %program: i32, %programs: i32, %tiles: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %ring = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
    tawa.warp_group producer warps(4) registers(40) {
      %all = scf.for %tile = %program to %tiles step %programs iter_args(%n = %c0) -> (i32) : i32 {
        %puts = scf.for %k = %c0 to %count step %c1 iter_args(%m = %n) -> (i32) : i32 {
          %a = tt.descriptor_load %desc[%c0, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
          tawa.put %ring[%m], %a : !tawa.aref<2, [tensor<64x64xf16>]>, tensor<64x64xf16>
          %next = arith.addi %m, %c1 : i32
          scf.yield %next : i32
        }
        scf.yield %puts : i32
      }
    }
    tawa.warp_group consumer warps(4) registers(208) {
      %counts:2 = scf.for %tile = %program to %tiles step %programs iter_args(%n = %c0, %whose = %c0) -> (i32, i32) : i32 {
        %mine = arith.cmpi eq, %whose, %c0 : i32
        %after = scf.if %mine -> (i32) {
          %late = arith.cmpi ne, %tile, %program : i32
          %left = arith.subi %tiles, %tile : i32
          %more = arith.cmpi sgt, %left, %programs : i32
          tawa.pingpong_wait 0 if %late
          %got = scf.for %k = %c0 to %count step %c1 iter_args(%m = %n) -> (i32) : i32 {
            %a = tawa.get %ring[%m] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
            tawa.consumed %ring[%m] : !tawa.aref<2, [tensor<64x64xf16>]>
            %next = arith.addi %m, %c1 : i32
            scf.yield %next : i32
          }
          tawa.pingpong_pass 1 if %more
          scf.yield %got : i32
        } else {
          %some = arith.cmpi sgt, %count, %c0 : i32
          %rounds = arith.select %some, %count, %c0 : i32
          %then = arith.addi %n, %rounds : i32
          scf.yield %then : i32
        }
        %other = arith.subi %c1, %whose : i32
        scf.yield %after, %other : i32, i32
      }
    }
    tawa.warp_group consumer warps(4) registers(208) {
      %counts:2 = scf.for %tile = %program to %tiles step %programs iter_args(%n = %c0, %whose = %c0) -> (i32, i32) : i32 {
        %mine = arith.cmpi eq, %whose, %c1 : i32
        %after = scf.if %mine -> (i32) {
          %late = arith.cmpi ne, %tile, %program : i32
          %left = arith.subi %tiles, %tile : i32
          %more = arith.cmpi sgt, %left, %programs : i32
          tawa.pingpong_wait 1
          %got = scf.for %k = %c0 to %count step %c1 iter_args(%m = %n) -> (i32) : i32 {
            %a = tawa.get %ring[%m] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
            tawa.consumed %ring[%m] : !tawa.aref<2, [tensor<64x64xf16>]>
            %next = arith.addi %m, %c1 : i32
            scf.yield %next : i32
          }
          tawa.pingpong_pass 0 if %more
          scf.yield %got : i32
        } else {
          %some = arith.cmpi sgt, %count, %c0 : i32
          %rounds = arith.select %some, %count, %c0 : i32
          %then = arith.addi %n, %rounds : i32
          scf.yield %then : i32
        }
        %other = arith.subi %c1, %whose : i32
        scf.yield %after, %other : i32, i32
      }
    }
    tt.return
  }
}
