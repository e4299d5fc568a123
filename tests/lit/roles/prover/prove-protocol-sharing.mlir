// Programs of a cluster that load a tile for each other: all know which of them share it, and each would have loaded the
// same.
//
// RUN: tawa-opt %s --split-input-file --tawa-prove-protocol --verify-diagnostics | FileCheck %s

// What two programs compare is the tile's column.
// CHECK: module attributes {tawa.proved = {{[0-9]+}} : i32}
// CHECK-LABEL: @compared
module {
  tt.func @compared(%desc: !tt.tensordesc<tensor<64x64xf16>>, %count: i32) attributes {tawa.cluster = 2 : i32} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %c8 = arith.constant 8 : i32
    %ring = tawa.create_aref : !tawa.aref<3, [tensor<64x64xf16>]>
    tawa.warp_group producer warps(4) registers(40) {
      %program = tt.get_program_id x : i32
      %column = arith.divsi %program, %c8 : i32
      %other = arith.xori %program, %c1 : i32
      %its = arith.divsi %other, %c8 : i32
      %same = arith.cmpi eq, %column, %its : i32
      %bits = arith.extui %same : i1 to i32
      %puts = scf.for %k = %c0 to %count step %c1 iter_args(%n = %c0) -> (i32) : i32 {
        %tile = tt.descriptor_load %desc[%column, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
        tawa.put %ring[%n], %tile multicast(%bits) : !tawa.aref<3, [tensor<64x64xf16>]>, tensor<64x64xf16>
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

// All four programs, or two and two: each compares other pairs.
// CHECK: module attributes {tawa.proved = {{[0-9]+}} : i32}
// CHECK-LABEL: @four
module {
  tt.func @four(%desc: !tt.tensordesc<tensor<64x64xf16>>, %count: i32) attributes {tawa.cluster = 4 : i32} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %c8 = arith.constant 8 : i32
    %ring = tawa.create_aref : !tawa.aref<3, [tensor<64x64xf16>]>
    tawa.warp_group producer warps(4) registers(40) {
      %program = tt.get_program_id x : i32
      %column = arith.divsi %program, %c8 : i32
      %first = arith.xori %program, %c1 : i32
      %ofFirst = arith.divsi %first, %c8 : i32
      %second = arith.xori %program, %c2 : i32
      %ofSecond = arith.divsi %second, %c8 : i32
      %third = arith.xori %program, %c3 : i32
      %ofThird = arith.divsi %third, %c8 : i32
      %mine = arith.cmpi eq, %column, %ofFirst : i32
      %theirs = arith.cmpi eq, %ofSecond, %ofThird : i32
      %pairs = arith.andi %mine, %theirs : i1
      %across = arith.cmpi eq, %column, %ofSecond : i32
      %all = arith.andi %pairs, %across : i1
      %inPairs = arith.extui %pairs : i1 to i32
      %bits = arith.select %all, %c3, %inPairs : i32
      %puts = scf.for %k = %c0 to %count step %c1 iter_args(%n = %c0) -> (i32) : i32 {
        %tile = tt.descriptor_load %desc[%column, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
        tawa.put %ring[%n], %tile multicast(%bits) : !tawa.aref<3, [tensor<64x64xf16>]>, tensor<64x64xf16>
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

// What begins equal and grows alike stays equal.
// CHECK: module attributes {tawa.proved = {{[0-9]+}} : i32}
// CHECK-LABEL: @carried
module {
  tt.func @carried(%desc: !tt.tensordesc<tensor<64x64xf16>>, %count: i32) attributes {tawa.cluster = 2 : i32} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %c8 = arith.constant 8 : i32
    %ring = tawa.create_aref : !tawa.aref<3, [tensor<64x64xf16>]>
    tawa.warp_group producer warps(4) registers(40) {
      %program = tt.get_program_id x : i32
      %column = arith.divsi %program, %c8 : i32
      %other = arith.xori %program, %c1 : i32
      %its = arith.divsi %other, %c8 : i32
      %same = arith.cmpi eq, %column, %its : i32
      %bits = arith.extui %same : i1 to i32
      %puts, %last = scf.for %k = %c0 to %count step %c1 iter_args(%n = %c0, %row = %column) -> (i32, i32) : i32 {
        %tile = tt.descriptor_load %desc[%row, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
        %below = arith.addi %row, %c8 : i32
        tawa.put %ring[%n], %tile multicast(%bits) : !tawa.aref<3, [tensor<64x64xf16>]>, tensor<64x64xf16>
        %next = arith.addi %n, %c1 : i32
        scf.yield %next, %below : i32, i32
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

// One pair of four may have a column in common that the other has not.
// CHECK: tawa.unproved
// CHECK-LABEL: @disagree
module {
  tt.func @disagree(%desc: !tt.tensordesc<tensor<64x64xf16>>, %count: i32) attributes {tawa.cluster = 4 : i32} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %c8 = arith.constant 8 : i32
    %ring = tawa.create_aref : !tawa.aref<3, [tensor<64x64xf16>]>
    tawa.warp_group producer warps(4) registers(40) {
      %program = tt.get_program_id x : i32
      %column = arith.divsi %program, %c8 : i32
      %other = arith.xori %program, %c1 : i32
      %its = arith.divsi %other, %c8 : i32
      %same = arith.cmpi eq, %column, %its : i32
      %bits = arith.extui %same : i1 to i32
      %puts = scf.for %k = %c0 to %count step %c1 iter_args(%n = %c0) -> (i32) : i32 {
        %tile = tt.descriptor_load %desc[%column, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
        // expected-remark @+1 {{not proved: programs of the cluster may disagree on which of them share a tile}}
        tawa.put %ring[%n], %tile multicast(%bits) : !tawa.aref<3, [tensor<64x64xf16>]>, tensor<64x64xf16>
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

// Rows differ where columns are equal.
// CHECK: tawa.unproved
// CHECK-LABEL: @other_index
module {
  tt.func @other_index(%desc: !tt.tensordesc<tensor<64x64xf16>>, %count: i32) attributes {tawa.cluster = 2 : i32} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %c8 = arith.constant 8 : i32
    %ring = tawa.create_aref : !tawa.aref<3, [tensor<64x64xf16>]>
    tawa.warp_group producer warps(4) registers(40) {
      %program = tt.get_program_id x : i32
      %column = arith.divsi %program, %c8 : i32
      %other = arith.xori %program, %c1 : i32
      %its = arith.divsi %other, %c8 : i32
      %same = arith.cmpi eq, %column, %its : i32
      %bits = arith.extui %same : i1 to i32
      %puts = scf.for %k = %c0 to %count step %c1 iter_args(%n = %c0) -> (i32) : i32 {
        %tile = tt.descriptor_load %desc[%program, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
        // expected-remark @+1 {{not proved: programs of the cluster that share a tile may need different ones}}
        tawa.put %ring[%n], %tile multicast(%bits) : !tawa.aref<3, [tensor<64x64xf16>]>, tensor<64x64xf16>
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

// Nothing was compared.
// CHECK: tawa.unproved
// CHECK-LABEL: @unasked
module {
  tt.func @unasked(%desc: !tt.tensordesc<tensor<64x64xf16>>, %count: i32) attributes {tawa.cluster = 2 : i32} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %c8 = arith.constant 8 : i32
    %ring = tawa.create_aref : !tawa.aref<3, [tensor<64x64xf16>]>
    tawa.warp_group producer warps(4) registers(40) {
      %program = tt.get_program_id x : i32
      %column = arith.divsi %program, %c8 : i32
      %puts = scf.for %k = %c0 to %count step %c1 iter_args(%n = %c0) -> (i32) : i32 {
        %tile = tt.descriptor_load %desc[%column, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
        // expected-remark @+1 {{not proved: programs of the cluster that share a tile may need different ones}}
        tawa.put %ring[%n], %tile multicast(%c1) : !tawa.aref<3, [tensor<64x64xf16>]>, tensor<64x64xf16>
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

// A number that begins with the column, but grows with the program's.
// CHECK: tawa.unproved
// CHECK-LABEL: @grows_apart
module {
  tt.func @grows_apart(%desc: !tt.tensordesc<tensor<64x64xf16>>, %count: i32) attributes {tawa.cluster = 2 : i32} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %c8 = arith.constant 8 : i32
    %ring = tawa.create_aref : !tawa.aref<3, [tensor<64x64xf16>]>
    tawa.warp_group producer warps(4) registers(40) {
      %program = tt.get_program_id x : i32
      %column = arith.divsi %program, %c8 : i32
      %other = arith.xori %program, %c1 : i32
      %its = arith.divsi %other, %c8 : i32
      %same = arith.cmpi eq, %column, %its : i32
      %bits = arith.extui %same : i1 to i32
      %puts, %last = scf.for %k = %c0 to %count step %c1 iter_args(%n = %c0, %row = %column) -> (i32, i32) : i32 {
        %tile = tt.descriptor_load %desc[%row, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
        %below = arith.addi %row, %program : i32
        // expected-remark @+1 {{not proved: programs of the cluster that share a tile may need different ones}}
        tawa.put %ring[%n], %tile multicast(%bits) : !tawa.aref<3, [tensor<64x64xf16>]>, tensor<64x64xf16>
        %next = arith.addi %n, %c1 : i32
        scf.yield %next, %below : i32, i32
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

// Two that are not equal are not the same tile.
// CHECK: tawa.unproved
// CHECK-LABEL: @ordered
module {
  tt.func @ordered(%desc: !tt.tensordesc<tensor<64x64xf16>>, %count: i32) attributes {tawa.cluster = 2 : i32} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %c8 = arith.constant 8 : i32
    %ring = tawa.create_aref : !tawa.aref<3, [tensor<64x64xf16>]>
    tawa.warp_group producer warps(4) registers(40) {
      %program = tt.get_program_id x : i32
      %column = arith.divsi %program, %c8 : i32
      %other = arith.xori %program, %c1 : i32
      %its = arith.divsi %other, %c8 : i32
      %same = arith.cmpi sle, %column, %its : i32
      %bits = arith.extui %same : i1 to i32
      %puts = scf.for %k = %c0 to %count step %c1 iter_args(%n = %c0) -> (i32) : i32 {
        %tile = tt.descriptor_load %desc[%column, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
        // expected-remark @+1 {{not proved: which programs of the cluster share a tile does not follow from equal values}}
        tawa.put %ring[%n], %tile multicast(%bits) : !tawa.aref<3, [tensor<64x64xf16>]>, tensor<64x64xf16>
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

// Computed by each program for itself.
// CHECK: tawa.unproved
// CHECK-LABEL: @computed
module {
  tt.func @computed(%desc: !tt.tensordesc<tensor<64x64xf16>>, %count: i32) attributes {tawa.cluster = 2 : i32} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %c8 = arith.constant 8 : i32
    %ring = tawa.create_aref : !tawa.aref<3, [tensor<64x64xf16>]>
    tawa.warp_group producer warps(4) registers(40) {
      %program = tt.get_program_id x : i32
      %column = arith.divsi %program, %c8 : i32
      %other = arith.xori %program, %c1 : i32
      %its = arith.divsi %other, %c8 : i32
      %same = arith.cmpi eq, %column, %its : i32
      %bits = arith.extui %same : i1 to i32
      %puts = scf.for %k = %c0 to %count step %c1 iter_args(%n = %c0) -> (i32) : i32 {
        %tile = arith.constant dense<0.0> : tensor<64x64xf16>
        // expected-remark @+1 {{not proved: programs of the cluster share what they do not load from one tensor}}
        tawa.put %ring[%n], %tile multicast(%bits) : !tawa.aref<3, [tensor<64x64xf16>]>, tensor<64x64xf16>
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
