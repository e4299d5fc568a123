// Tensor maps that roles write: one for loads, one for stores, each guarded by a record of the last description. Every
// other run leaves out or changes one line.
//
// RUN: tawa-opt %s --tawa-prove-machine | FileCheck %s
// CHECK: module attributes {tawa.proved = {{[0-9]+}} : i32}
//
// RUN: grep -v 'acquire %%mapA' %s | tawa-opt --tawa-prove-machine 2>&1 | FileCheck %s --check-prefix=ACQUIRE
// RUN: grep -v 'acquire %%mapC' %s | tawa-opt --tawa-prove-machine 2>&1 | FileCheck %s --check-prefix=ACQUIRE
// ACQUIRE: no fence makes the last write of its tensor map visible to this copy
//
// RUN: grep -v 'of the last put' %s | tawa-opt --tawa-prove-machine 2>&1 | FileCheck %s --check-prefix=LOADS
// LOADS: this tensor map is written while loads of ring 0 may still use it
//
// RUN: sed 's/%%n2 = arith.addi %%n, %%c1/%%n2 = arith.addi %%n, %%c2/' %s | tawa-opt --tawa-prove-machine 2>&1 | FileCheck %s --check-prefix=ROUND
// ROUND: this does not wait for one of the last 2 puts into ring 0
//
// RUN: grep -v 'until stores are over' %s | tawa-opt --tawa-prove-machine 2>&1 | FileCheck %s --check-prefix=STORES
// RUN: sed 's/bulk_wait 0 [/][/]/bulk_wait 0 {read} \/\//' %s | tawa-opt --tawa-prove-machine 2>&1 | FileCheck %s --check-prefix=STORES
// STORES: this tensor map is written while a store through it may be in flight
//
// RUN: sed 's/if %%isFirstOfRole/if %%isLane0/' %s | tawa-opt --tawa-prove-machine 2>&1 | FileCheck %s --check-prefix=WRITERS
// WRITERS: not exactly one thread writes this tensor map
//
// RUN: grep -v 'no description has this' %s | tawa-opt --tawa-prove-machine 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: the tensor map of this copy may not have been written
//
// RUN: sed 's/array<i32: 64, 8>, element = f16, swizzle = 3/array<i32: 64, 16>, element = f16, swizzle = 3/' %s | tawa-opt --tawa-prove-machine 2>&1 | FileCheck %s --check-prefix=BOX
// BOX: 1024 bytes are announced for a slot, and 2048 come
//
// RUN: sed 's/%%own\[128\]/%%own[64]/' %s | tawa-opt --tawa-prove-machine 2>&1 | FileCheck %s --check-prefix=PLACE
// RUN: sed 's/%%own\[128\]/%%own[256]/' %s | tawa-opt --tawa-prove-machine 2>&1 | FileCheck %s --check-prefix=PLACE
// PLACE: this tensor map overlaps another one, or memory of another CTA's
module {
  func.func @maps(%sizes: !llvm.ptr<1>, %memory: !llvm.ptr<1>, %count: i32,
                  %scratch: !llvm.ptr<1> {tawa.argument = #tawa.part<scratch, index = 0, dimension = 0>})
      attributes {sm90.kernel, sm90.threads = 96 : i32, sm90.shared_bytes = 4640 : i32, sm90.scratch_bytes = 256 : i32, sm90.cluster = array<i32: 1, 1, 1>, sm90.entry_registers = 128 : i32} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c5 = arith.constant 5 : i32
    %c8 = arith.constant 8 : i32
    %c16 = arith.constant 16 : i32
    %c64 = arith.constant 64 : i32
    %bytes = arith.constant 1024 : i32
    %line = arith.constant 128 : i64
    %nothing = arith.constant -1 : i64
    %ownBytes = arith.constant 256 : i64
    %z = sm90.special_register ctaid_z : i32
    %ny = sm90.special_register nctaid_y : i32
    %y = sm90.special_register ctaid_y : i32
    %nx = sm90.special_register nctaid_x : i32
    %x = sm90.special_register ctaid_x : i32
    %planes = arith.muli %z, %ny : i32
    %rowOfCtas = arith.addi %planes, %y : i32
    %before = arith.muli %rowOfCtas, %nx : i32
    %cta = arith.addi %before, %x : i32
    %ctaLong = arith.extui %cta : i32 to i64
    %ownOffset = arith.muli %ctaLong, %ownBytes : i64
    %own = llvm.getelementptr %scratch[%ownOffset] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
    %ownOfStores = llvm.getelementptr %own[128] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8

    // Two slots, a panel for each storing warp, map and record of loads and of stores, barriers.
    %base = sm90.shared_base : i32
    %cPanels = arith.constant 2048 : i32
    %cStagingA = arith.constant 4096 : i32
    %cRowsA = arith.constant 4224 : i32
    %cBaseA = arith.constant 4232 : i32
    %cStagingC = arith.constant 4352 : i32
    %cRowsC = arith.constant 4480 : i32
    %cBaseC = arith.constant 4488 : i32
    %cFull = arith.constant 4608 : i32
    %cEmpty = arith.constant 4624 : i32
    %panels = arith.addi %base, %cPanels : i32
    %stagingA = arith.addi %base, %cStagingA : i32
    %rowsA = arith.addi %base, %cRowsA : i32
    %baseA = arith.addi %base, %cBaseA : i32
    %stagingC = arith.addi %base, %cStagingC : i32
    %rowsC = arith.addi %base, %cRowsC : i32
    %baseC = arith.addi %base, %cBaseC : i32
    %full = arith.addi %base, %cFull : i32
    %full1 = arith.addi %full, %c8 : i32
    %empty = arith.addi %base, %cEmpty : i32
    %empty1 = arith.addi %empty, %c8 : i32
    %tid = sm90.special_register tid_x : i32
    %warp = arith.shrui %tid, %c5 : i32
    %lane = sm90.special_register laneid : i32
    %isLane0 = arith.cmpi eq, %lane, %c0 : i32
    %isFirst = arith.cmpi eq, %tid, %c0 : i32
    scf.if %isFirst {
      sm90.mbarrier_init %full, 1
      sm90.mbarrier_init %full1, 1
      sm90.mbarrier_init %empty, 2
      sm90.mbarrier_init %empty1, 2
      sm90.fence_mbarrier_init
      sm90.store_shared %rowsA, %nothing : i64
      sm90.store_shared %rowsC, %nothing : i64 // no description has this many rows
    }
    sm90.barrier_sync 0, 96
    %isProducer = arith.cmpi ult, %warp, %c1 : i32
    scf.if %isProducer {
      %elected = sm90.elect_sync : i1
      scf.if %elected {
        %puts = scf.for %k = %c0 to %count step %c1 iter_args(%n = %c0) -> (i32) : i32 {
          %size = llvm.getelementptr %sizes[%k] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
          %rows = sm90.load_global %size : i32
          %rowsWord = arith.extui %rows : i32 to i64
          %baseWord = llvm.ptrtoint %memory : !llvm.ptr<1> to i64
          %keptRows = sm90.load_shared %rowsA : i64
          %keptBase = sm90.load_shared %baseA : i64
          %otherRows = arith.cmpi ne, %keptRows, %rowsWord : i64
          %otherBase = arith.cmpi ne, %keptBase, %baseWord : i64
          %differs = arith.ori %otherRows, %otherBase : i1
          %mapA = sm90.tensormap_at %own : !sm90.tensormap
          scf.if %differs {
            %slot1 = arith.remui %n, %c2 : i32
            %round1 = arith.divui %n, %c2 : i32
            %parity1 = arith.andi %round1, %c1 : i32
            %before1 = arith.xori %parity1, %c1 : i32
            %byte1 = arith.muli %slot1, %c8 : i32
            %full1st = arith.addi %full, %byte1 : i32
            sm90.mbarrier_wait_parity %full1st, %before1
            %n2 = arith.addi %n, %c1 : i32
            %slot2 = arith.remui %n2, %c2 : i32
            %round2 = arith.divui %n2, %c2 : i32
            %parity2 = arith.andi %round2, %c1 : i32
            %before2 = arith.xori %parity2, %c1 : i32
            %byte2 = arith.muli %slot2, %c8 : i32
            %full2nd = arith.addi %full, %byte2 : i32
            sm90.mbarrier_wait_parity %full2nd, %before2 // of the last put
            sm90.store_shared %rowsA, %rowsWord : i64
            sm90.store_shared %baseA, %baseWord : i64
            sm90.tensormap_write %mapA, %stagingA, %memory[%c64, %rows] by [%line] {box = array<i32: 64, 8>, element = f16, swizzle = 3 : i32}
            sm90.tensormap_acquire %mapA
          }
          %slot = arith.remui %n, %c2 : i32
          %round = arith.divui %n, %c2 : i32
          %parity = arith.andi %round, %c1 : i32
          %other = arith.xori %parity, %c1 : i32
          %byte = arith.muli %slot, %c8 : i32
          %myFull = arith.addi %full, %byte : i32
          %myEmpty = arith.addi %empty, %byte : i32
          %tile = arith.muli %slot, %bytes : i32
          %to = arith.addi %base, %tile : i32
          sm90.mbarrier_wait_parity %myEmpty, %other
          sm90.mbarrier_arrive_expect_tx %myFull, %bytes
          sm90.tma_load %to, %mapA[%c0, %k], %myFull
          %next = arith.addi %n, %c1 : i32
          scf.yield %next : i32
        }
      }
    } else {
      %warpOfRole = arith.subi %warp, %c1 : i32
      %isWarp0 = arith.cmpi eq, %warpOfRole, %c0 : i32
      %isFirstOfRole = arith.andi %isLane0, %isWarp0 : i1
      %panelOffset = arith.muli %warpOfRole, %bytes : i32
      %panel = arith.addi %panels, %panelOffset : i32
      %ownBytesOfPanel = arith.muli %lane, %c16 : i32
      %part = arith.addi %panel, %ownBytesOfPanel : i32
      %gets = scf.for %k = %c0 to %count step %c1 iter_args(%n = %c0) -> (i32) : i32 {
        %size = llvm.getelementptr %sizes[%k] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
        %rows = sm90.load_global %size : i32
        %rowsWord = arith.extui %rows : i32 to i64
        %baseWord = llvm.ptrtoint %memory : !llvm.ptr<1> to i64
        %keptRows = sm90.load_shared %rowsC : i64
        %keptBase = sm90.load_shared %baseC : i64
        %otherRows = arith.cmpi ne, %keptRows, %rowsWord : i64
        %otherBase = arith.cmpi ne, %keptBase, %baseWord : i64
        %differs = arith.ori %otherRows, %otherBase : i1
        %mapC = sm90.tensormap_at %ownOfStores : !sm90.tensormap
        scf.if %differs {
          sm90.bulk_wait 0 // until stores are over
          sm90.barrier_sync 1, 64
          scf.if %isFirstOfRole {
            sm90.store_shared %rowsC, %rowsWord : i64
            sm90.store_shared %baseC, %baseWord : i64
            sm90.tensormap_write %mapC, %stagingC, %memory[%c64, %rows] by [%line] {box = array<i32: 64, 8>, element = f16, swizzle = 0 : i32}
          }
          sm90.barrier_sync 1, 64
          sm90.tensormap_acquire %mapC
        }
        %slot = arith.remui %n, %c2 : i32
        %round = arith.divui %n, %c2 : i32
        %parity = arith.andi %round, %c1 : i32
        %byte = arith.muli %slot, %c8 : i32
        %myFull = arith.addi %full, %byte : i32
        %myEmpty = arith.addi %empty, %byte : i32
        %tile = arith.muli %slot, %bytes : i32
        %from = arith.addi %base, %tile : i32
        %place = arith.addi %from, %ownBytesOfPanel : i32
        sm90.mbarrier_wait_parity %myFull, %parity
        %word:4 = sm90.load_shared %place : i32, i32, i32, i32
        sm90.warp_sync
        sm90.mbarrier_arrive %myEmpty if %isLane0
        sm90.bulk_wait 0 {read}
        sm90.warp_sync
        sm90.store_shared %part, %word#0, %word#1, %word#2, %word#3 : i32, i32, i32, i32
        sm90.fence_proxy_async
        sm90.warp_sync
        sm90.tma_store %mapC[%c0, %k], %panel if %isLane0
        sm90.bulk_commit if %isLane0
        %next = arith.addi %n, %c1 : i32
        scf.yield %next : i32
      }
      sm90.bulk_wait 0 {read}
    }
    return
  }
}
