// Slots that threads write themselves. Every other run leaves out or changes one line.
//
// RUN: tawa-opt %s --tawa-prove-machine | FileCheck %s
// CHECK: module attributes {tawa.proved = {{[0-9]+}} : i32}
//
// RUN: grep -v 'all that was written' %s | tawa-opt --tawa-prove-machine 2>&1 | FileCheck %s --check-prefix=FENCE
// FENCE: no fence makes the threads' writes to a slot visible to wgmma
//
// RUN: grep -v 'by all lanes' %s | tawa-opt --tawa-prove-machine 2>&1 | FileCheck %s --check-prefix=LANES
// LANES: a slot is handed on while threads may still write it
//
// RUN: grep -v 'the other half' %s | tawa-opt --tawa-prove-machine 2>&1 | FileCheck %s --check-prefix=HALF
// HALF: this reads bytes of a slot that no put fills
//
// RUN: sed 's/%%place, %%c512/%%place, %%c8/' %s | tawa-opt --tawa-prove-machine 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: two threads write the same bytes of a slot
//
// RUN: sed 's/arrive %%myFull if %%isLane0/arrive %%myFull/' %s | tawa-opt --tawa-prove-machine 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: 32 threads arrive for a slot, and its barrier counts 1
//
// RUN: sed 's/wait_parity %%myEmpty, %%other/wait_parity %%myEmpty, %%parity/' %s | tawa-opt --tawa-prove-machine 2>&1 | FileCheck %s --check-prefix=PARITY
// PARITY: nothing fills what this waits for
module {
  func.func @writes(%x: i32, %count: i32)
      attributes {sm90.kernel, sm90.threads = 64 : i32, sm90.shared_bytes = 2080 : i32, sm90.cluster = array<i32: 1, 1, 1>, sm90.entry_registers = 128 : i32} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c5 = arith.constant 5 : i32
    %c8 = arith.constant 8 : i32
    %c16 = arith.constant 16 : i32
    %c512 = arith.constant 512 : i32
    %c1024 = arith.constant 1024 : i32
    %base = sm90.shared_base : i32
    %cFull = arith.constant 2048 : i32
    %cEmpty = arith.constant 2064 : i32
    %full = arith.addi %base, %cFull : i32
    %full1 = arith.addi %full, %c8 : i32
    %empty = arith.addi %base, %cEmpty : i32
    %empty1 = arith.addi %empty, %c8 : i32
    %tid = sm90.special_register tid_x : i32
    %warp = arith.shrui %tid, %c5 : i32
    %lane = sm90.special_register laneid : i32
    %isLane0 = arith.cmpi eq, %lane, %c0 : i32
    %isFirst = arith.cmpi eq, %tid, %c0 : i32
    %own = arith.muli %lane, %c16 : i32
    scf.if %isFirst {
      sm90.mbarrier_init %full, 1
      sm90.mbarrier_init %full1, 1
      sm90.mbarrier_init %empty, 1
      sm90.mbarrier_init %empty1, 1
      sm90.fence_mbarrier_init
    }
    sm90.barrier_sync 0, 64
    %isWriter = arith.cmpi ult, %warp, %c1 : i32
    scf.if %isWriter {
      %puts = scf.for %k = %c0 to %count step %c1 iter_args(%n = %c0) -> (i32) : i32 {
        %slot = arith.remui %n, %c2 : i32
        %round = arith.divui %n, %c2 : i32
        %parity = arith.andi %round, %c1 : i32
        %other = arith.xori %parity, %c1 : i32
        %byte = arith.muli %slot, %c8 : i32
        %myFull = arith.addi %full, %byte : i32
        %myEmpty = arith.addi %empty, %byte : i32
        %tile = arith.muli %slot, %c1024 : i32
        %to = arith.addi %base, %tile : i32
        %place = arith.addi %to, %own : i32
        %behind = arith.addi %place, %c512 : i32
        sm90.mbarrier_wait_parity %myEmpty, %other
        sm90.store_shared %place, %x, %x, %x, %x : i32, i32, i32, i32
        sm90.store_shared %behind, %x, %x, %x, %x : i32, i32, i32, i32 // the other half
        sm90.fence_proxy_async // all that was written
        sm90.warp_sync // by all lanes
        sm90.mbarrier_arrive %myFull if %isLane0
        %next = arith.addi %n, %c1 : i32
        scf.yield %next : i32
      }
    } else {
      %gets = scf.for %k = %c0 to %count step %c1 iter_args(%n = %c0) -> (i32) : i32 {
        %slot = arith.remui %n, %c2 : i32
        %round = arith.divui %n, %c2 : i32
        %parity = arith.andi %round, %c1 : i32
        %byte = arith.muli %slot, %c8 : i32
        %myFull = arith.addi %full, %byte : i32
        %myEmpty = arith.addi %empty, %byte : i32
        %tile = arith.muli %slot, %c1024 : i32
        %from = arith.addi %base, %tile : i32
        %at = arith.addi %from, %own : i32
        %middle = arith.addi %at, %c512 : i32
        sm90.mbarrier_wait_parity %myFull, %parity
        %word:4 = sm90.load_shared %middle : i32, i32, i32, i32
        sm90.warp_sync
        sm90.mbarrier_arrive %myEmpty if %isLane0
        %next = arith.addi %n, %c1 : i32
        scf.yield %next : i32
      }
    }
    return
  }
}
