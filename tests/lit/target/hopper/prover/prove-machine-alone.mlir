// A kernel of one role without slots: what its threads exchange through shared memory.
// RUN: tawa-opt %s --split-input-file --tawa-prove-machine -verify-diagnostics | FileCheck %s

// CHECK: module attributes {tawa.proved
module {
  func.func @written(%out: !llvm.ptr<1>) attributes {sm90.kernel, sm90.cluster = array<i32: 1, 1, 1>, sm90.threads = 64 : i32, sm90.shared_bytes = 256 : i32} {
    %base = sm90.shared_base : i32
    %tid = sm90.special_register tid_x : i32
    %two = arith.constant 2 : i32
    %own = arith.shli %tid, %two : i32
    %place = arith.addi %base, %own : i32
    sm90.store_shared %place, %tid : i32
    sm90.barrier_sync 0, 64
    %first = sm90.load_shared %base : i32
    sm90.store_global %out, %first : i32
    return
  }
}

// -----

module {
  func.func @readTooEarly(%out: !llvm.ptr<1>) attributes {sm90.kernel, sm90.cluster = array<i32: 1, 1, 1>, sm90.threads = 64 : i32, sm90.shared_bytes = 256 : i32} {
    %base = sm90.shared_base : i32
    %tid = sm90.special_register tid_x : i32
    %two = arith.constant 2 : i32
    %own = arith.shli %tid, %two : i32
    %place = arith.addi %base, %own : i32
    sm90.store_shared %place, %tid : i32
    // expected-remark @+1 {{not proved: a read may meet a write of the same bytes (sm90.store_shared)}}
    %first = sm90.load_shared %base : i32
    sm90.store_global %out, %first : i32
    return
  }
}

// -----

// Counters that all threads add to are read when all have.
module {
  func.func @readWhileOthersCount(%out: !llvm.ptr<1>, %in: !llvm.ptr<1>) attributes {sm90.kernel, sm90.cluster = array<i32: 1, 1, 1>, sm90.threads = 64 : i32, sm90.shared_bytes = 256 : i32} {
    %base = sm90.shared_base : i32
    %tid = sm90.special_register tid_x : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %own = arith.shli %tid, %two : i32
    %place = arith.addi %base, %own : i32
    sm90.store_shared %place, %tid : i32
    sm90.barrier_sync 0, 64
    %number = sm90.load_global %in : i32
    %offset = arith.shli %number, %two : i32
    %counter = arith.addi %base, %offset : i32
    sm90.atomic_rmw add relaxed cta %counter, %one : i32, i32
    sm90.atomic_rmw add relaxed cta %base, %one : i32, i32
    // expected-remark @+1 {{not proved: a read may meet an atomic of the same bytes (sm90.atomic_rmw)}}
    %count = sm90.load_shared %place : i32
    sm90.store_global %out, %count : i32
    return
  }
}

// -----

// Which bytes an iteration reads follows from the numbers of its loop, bit by bit: those before byte 128, which are not
// written again.
// CHECK: module attributes {tawa.proved
module {
  func.func @readInALoop(%out: !llvm.ptr<1>) attributes {sm90.kernel, sm90.cluster = array<i32: 1, 1, 1>, sm90.threads = 32 : i32, sm90.shared_bytes = 256 : i32} {
    %base = sm90.shared_base : i32
    %tid = sm90.special_register tid_x : i32
    %zero = arith.constant 0 : i32
    %two = arith.constant 2 : i32
    %eight = arith.constant 8 : i32
    %sixteen = arith.constant 16 : i32
    %end = arith.constant 32 : i32
    %next = arith.constant 128 : i32
    %own = arith.shli %tid, %two : i32
    %place = arith.addi %base, %own : i32
    sm90.store_shared %place, %tid : i32
    sm90.warp_sync
    %sum = scf.for %i = %zero to %end step %eight iter_args(%s = %zero) -> (i32) : i32 {
      %offset = arith.shli %i, %two : i32
      %swizzled = arith.xori %offset, %eight : i32
      %begin = arith.addi %base, %swizzled : i32
      %from = arith.addi %begin, %sixteen : i32
      %a:2 = sm90.load_shared %from : i32, i32
      %t = arith.addi %s, %a#0 : i32
      scf.yield %t : i32
    }
    %beyond = arith.addi %place, %next : i32
    sm90.store_shared %beyond, %sum : i32
    return
  }
}

// -----

// Barriers of slots that no iteration fills, where loops have none.
// expected-remark @+1 {{not proved: the barrier at byte 0 is initialized but never used}}
module {
  func.func @waitsForNothing(%out: !llvm.ptr<1>) attributes {sm90.kernel, sm90.cluster = array<i32: 1, 1, 1>, sm90.threads = 32 : i32, sm90.shared_bytes = 256 : i32} {
    %base = sm90.shared_base : i32
    %tid = sm90.special_register tid_x : i32
    %zero = arith.constant 0 : i32
    %eight = arith.constant 8 : i32
    %isFirst = arith.cmpi eq, %tid, %zero : i32
    scf.if %isFirst {
      sm90.mbarrier_init %base, 32
      %empty = arith.addi %base, %eight : i32
      sm90.mbarrier_init %empty, 1
      sm90.fence_mbarrier_init
    }
    sm90.barrier_sync 0, 32
    sm90.store_global %out, %tid : i32
    return
  }
}
