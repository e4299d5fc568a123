// A role that is alone puts tiles of 1024 bytes into two slots and reads them. After that, the bytes of slots are its private memory:
// it may write there once all its warps have read the last tile.
//
// RUN: tawa-opt %s --split-input-file --tawa-prove-machine --verify-diagnostics | FileCheck %s

// CHECK: tawa.proved
// CHECK-LABEL: @after
module {
  func.func @after(%p: !llvm.ptr<1>, %count: i32)
      attributes {sm90.kernel, sm90.threads = 64 : i32, sm90.shared_bytes = 2080 : i32, sm90.cluster = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c5 = arith.constant 5 : i32
    %c8 = arith.constant 8 : i32
    %c16 = arith.constant 16 : i32
    %c32 = arith.constant 32 : i32
    %bytes = arith.constant 1024 : i32
    %cFull = arith.constant 2048 : i32
    %cNext = arith.constant 2056 : i32
    %cEmpty = arith.constant 2064 : i32
    %cLast = arith.constant 2072 : i32
    %base = sm90.shared_base : i32
    %full = arith.addi %base, %cFull : i32
    %full1 = arith.addi %base, %cNext : i32
    %empty = arith.addi %base, %cEmpty : i32
    %empty1 = arith.addi %base, %cLast : i32
    %tid = sm90.special_register tid_x : i32
    %lane = sm90.special_register laneid : i32
    %isLane0 = arith.cmpi eq, %lane, %c0 : i32
    %isFirst = arith.cmpi eq, %tid, %c0 : i32
    scf.if %isFirst {
      sm90.mbarrier_init %full, 64
      sm90.mbarrier_init %full1, 64
      sm90.mbarrier_init %empty, 2
      sm90.mbarrier_init %empty1, 2
      sm90.fence_mbarrier_init
    }
    sm90.barrier_sync 0, 64
    %own = arith.muli %tid, %c16 : i32
    %peer = arith.xori %tid, %c32 : i32
    %other = arith.muli %peer, %c16 : i32
    %mine = arith.addi %base, %own : i32
    %theirs = arith.addi %base, %other : i32
    %ends:2 = scf.for %k = %c0 to %count step %c1 iter_args(%n = %c0, %g = %c0) -> (i32, i32) : i32 {
      %slot = arith.remui %n, %c2 : i32
      %round = arith.divui %n, %c2 : i32
      %parity = arith.andi %round, %c1 : i32
      %inverse = arith.xori %parity, %c1 : i32
      %step = arith.muli %slot, %c8 : i32
      %place = arith.muli %slot, %bytes : i32
      %isFull = arith.addi %full, %step : i32
      %isEmpty = arith.addi %empty, %step : i32
      sm90.mbarrier_wait_parity %isEmpty, %inverse
      %to = arith.addi %mine, %place : i32
      sm90.cp_async %to, %p, 16 cache cg
      sm90.cp_async_arrive %isFull
      %got = arith.remui %g, %c2 : i32
      %turn = arith.divui %g, %c2 : i32
      %phase = arith.andi %turn, %c1 : i32
      %further = arith.muli %got, %c8 : i32
      %begin = arith.muli %got, %bytes : i32
      %landed = arith.addi %full, %further : i32
      %back = arith.addi %empty, %further : i32
      sm90.mbarrier_wait_parity %landed, %phase
      %from = arith.addi %theirs, %begin : i32
      %x:4 = sm90.load_shared %from : i32, i32, i32, i32
      sm90.warp_sync
      sm90.mbarrier_arrive %back if %isLane0
      %next = arith.addi %n, %c1 : i32
      %done = arith.addi %g, %c1 : i32
      scf.yield %next, %done : i32, i32
    }
    sm90.barrier_sync 0, 64
    sm90.store_shared %mine, %c0, %c0, %c0, %c0 : i32, i32, i32, i32
    sm90.barrier_sync 0, 64
    %y:4 = sm90.load_shared %theirs : i32, i32, i32, i32
    return
  }
}

// -----

// The other warp may still read.
// CHECK: tawa.unproved
// CHECK-LABEL: @early
module {
  func.func @early(%p: !llvm.ptr<1>, %count: i32)
      attributes {sm90.kernel, sm90.threads = 64 : i32, sm90.shared_bytes = 2080 : i32, sm90.cluster = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c5 = arith.constant 5 : i32
    %c8 = arith.constant 8 : i32
    %c16 = arith.constant 16 : i32
    %c32 = arith.constant 32 : i32
    %bytes = arith.constant 1024 : i32
    %cFull = arith.constant 2048 : i32
    %cNext = arith.constant 2056 : i32
    %cEmpty = arith.constant 2064 : i32
    %cLast = arith.constant 2072 : i32
    %base = sm90.shared_base : i32
    %full = arith.addi %base, %cFull : i32
    %full1 = arith.addi %base, %cNext : i32
    %empty = arith.addi %base, %cEmpty : i32
    %empty1 = arith.addi %base, %cLast : i32
    %tid = sm90.special_register tid_x : i32
    %lane = sm90.special_register laneid : i32
    %isLane0 = arith.cmpi eq, %lane, %c0 : i32
    %isFirst = arith.cmpi eq, %tid, %c0 : i32
    scf.if %isFirst {
      sm90.mbarrier_init %full, 64
      sm90.mbarrier_init %full1, 64
      sm90.mbarrier_init %empty, 2
      sm90.mbarrier_init %empty1, 2
      sm90.fence_mbarrier_init
    }
    sm90.barrier_sync 0, 64
    %own = arith.muli %tid, %c16 : i32
    %peer = arith.xori %tid, %c32 : i32
    %other = arith.muli %peer, %c16 : i32
    %mine = arith.addi %base, %own : i32
    %theirs = arith.addi %base, %other : i32
    %ends:2 = scf.for %k = %c0 to %count step %c1 iter_args(%n = %c0, %g = %c0) -> (i32, i32) : i32 {
      %slot = arith.remui %n, %c2 : i32
      %round = arith.divui %n, %c2 : i32
      %parity = arith.andi %round, %c1 : i32
      %inverse = arith.xori %parity, %c1 : i32
      %step = arith.muli %slot, %c8 : i32
      %place = arith.muli %slot, %bytes : i32
      %isFull = arith.addi %full, %step : i32
      %isEmpty = arith.addi %empty, %step : i32
      sm90.mbarrier_wait_parity %isEmpty, %inverse
      %to = arith.addi %mine, %place : i32
      sm90.cp_async %to, %p, 16 cache cg
      sm90.cp_async_arrive %isFull
      %got = arith.remui %g, %c2 : i32
      %turn = arith.divui %g, %c2 : i32
      %phase = arith.andi %turn, %c1 : i32
      %further = arith.muli %got, %c8 : i32
      %begin = arith.muli %got, %bytes : i32
      %landed = arith.addi %full, %further : i32
      %back = arith.addi %empty, %further : i32
      sm90.mbarrier_wait_parity %landed, %phase
      %from = arith.addi %theirs, %begin : i32
      %x:4 = sm90.load_shared %from : i32, i32, i32, i32
      sm90.warp_sync
      sm90.mbarrier_arrive %back if %isLane0
      %next = arith.addi %n, %c1 : i32
      %done = arith.addi %g, %c1 : i32
      scf.yield %next, %done : i32, i32
    }
    // expected-remark @+1 {{not proved: a write may meet a read of the same bytes}}
    sm90.store_shared %mine, %c0, %c0, %c0, %c0 : i32, i32, i32, i32
    sm90.barrier_sync 0, 64
    %y:4 = sm90.load_shared %theirs : i32, i32, i32, i32
    return
  }
}

// -----

// The next iteration fills the slot again.
// CHECK: tawa.unproved
// CHECK-LABEL: @around
module {
  func.func @around(%p: !llvm.ptr<1>, %count: i32)
      attributes {sm90.kernel, sm90.threads = 64 : i32, sm90.shared_bytes = 2080 : i32, sm90.cluster = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c5 = arith.constant 5 : i32
    %c8 = arith.constant 8 : i32
    %c16 = arith.constant 16 : i32
    %c32 = arith.constant 32 : i32
    %bytes = arith.constant 1024 : i32
    %cFull = arith.constant 2048 : i32
    %cNext = arith.constant 2056 : i32
    %cEmpty = arith.constant 2064 : i32
    %cLast = arith.constant 2072 : i32
    %base = sm90.shared_base : i32
    %full = arith.addi %base, %cFull : i32
    %full1 = arith.addi %base, %cNext : i32
    %empty = arith.addi %base, %cEmpty : i32
    %empty1 = arith.addi %base, %cLast : i32
    %tid = sm90.special_register tid_x : i32
    %lane = sm90.special_register laneid : i32
    %isLane0 = arith.cmpi eq, %lane, %c0 : i32
    %isFirst = arith.cmpi eq, %tid, %c0 : i32
    scf.if %isFirst {
      sm90.mbarrier_init %full, 64
      sm90.mbarrier_init %full1, 64
      sm90.mbarrier_init %empty, 2
      sm90.mbarrier_init %empty1, 2
      sm90.fence_mbarrier_init
    }
    sm90.barrier_sync 0, 64
    %own = arith.muli %tid, %c16 : i32
    %peer = arith.xori %tid, %c32 : i32
    %other = arith.muli %peer, %c16 : i32
    %mine = arith.addi %base, %own : i32
    %theirs = arith.addi %base, %other : i32
    %ends:2 = scf.for %k = %c0 to %count step %c1 iter_args(%n = %c0, %g = %c0) -> (i32, i32) : i32 {
      %slot = arith.remui %n, %c2 : i32
      %round = arith.divui %n, %c2 : i32
      %parity = arith.andi %round, %c1 : i32
      %inverse = arith.xori %parity, %c1 : i32
      %step = arith.muli %slot, %c8 : i32
      %place = arith.muli %slot, %bytes : i32
      %isFull = arith.addi %full, %step : i32
      %isEmpty = arith.addi %empty, %step : i32
      sm90.mbarrier_wait_parity %isEmpty, %inverse
      %to = arith.addi %mine, %place : i32
      sm90.cp_async %to, %p, 16 cache cg
      sm90.cp_async_arrive %isFull
      %got = arith.remui %g, %c2 : i32
      %turn = arith.divui %g, %c2 : i32
      %phase = arith.andi %turn, %c1 : i32
      %further = arith.muli %got, %c8 : i32
      %begin = arith.muli %got, %bytes : i32
      %landed = arith.addi %full, %further : i32
      %back = arith.addi %empty, %further : i32
      sm90.mbarrier_wait_parity %landed, %phase
      %from = arith.addi %theirs, %begin : i32
      %x:4 = sm90.load_shared %from : i32, i32, i32, i32
      sm90.warp_sync
      sm90.mbarrier_arrive %back if %isLane0
      sm90.barrier_sync 0, 64
      // expected-remark @+1 {{not proved: something other than a put or a read uses a slot of ring 0}}
      sm90.store_shared %mine, %c0, %c0, %c0, %c0 : i32, i32, i32, i32
      sm90.barrier_sync 0, 64
      %y:4 = sm90.load_shared %theirs : i32, i32, i32, i32
      %next = arith.addi %n, %c1 : i32
      %done = arith.addi %g, %c1 : i32
      scf.yield %next, %done : i32, i32
    }
    return
  }
}
