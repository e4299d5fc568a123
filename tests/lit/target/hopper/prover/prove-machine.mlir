// A machine kernel whose barriers, bytes, parities and lanes agree for every trip count, and the diagnostics where they do not.
//
// RUN: tawa-opt %s --split-input-file --tawa-prove-machine --verify-diagnostics | FileCheck %s
// RUN: tawa-opt --mlir-pass-statistics %s --split-input-file --tawa-prove-machine -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-prove-machine{{$}}
// COUNTS: {{^ *}}2 num-proved:
// COUNTS: {{^ *}}2 num-states:
// COUNTS: {{^ *}}7 num-unproved:
// COUNTS-NEXT: 1 1040 bytes are announced for a slot, and 1024 come

// CHECK: module attributes {tawa.proved = {{[0-9]+}} : i32}
// CHECK-LABEL: @ring
module {
  func.func @ring(%map: !sm90.tensormap {sm90.tensor_map = #sm90.tensor_map<argument = 0, box = [64, 8], element = f16, swizzle = b128>}, %count: i32)
      attributes {sm90.kernel, sm90.threads = 64 : i32, sm90.shared_bytes = 2080 : i32, sm90.cluster = array<i32: 1, 1, 1>, sm90.entry_registers = 128 : i32} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c5 = arith.constant 5 : i32
    %c8 = arith.constant 8 : i32
    %c1024 = arith.constant 1024 : i32
    %c16 = arith.constant 16 : i32
    %bytes = arith.constant 1024 : i32
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
    scf.if %isFirst {
      sm90.mbarrier_init %full, 1
      sm90.mbarrier_init %full1, 1
      sm90.mbarrier_init %empty, 1
      sm90.mbarrier_init %empty1, 1
      sm90.fence_mbarrier_init
    }
    sm90.barrier_sync 0, 64
    %isProducer = arith.cmpi ult, %warp, %c1 : i32
    scf.if %isProducer {
      %elected = sm90.elect_sync : i1
      scf.if %elected {
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
          sm90.mbarrier_wait_parity %myEmpty, %other
          sm90.mbarrier_arrive_expect_tx %myFull, %bytes
          sm90.tma_load %to, %map[%c0, %k], %myFull
          %next = arith.addi %n, %c1 : i32
          scf.yield %next : i32
        }
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
        %own = arith.muli %lane, %c16 : i32
        %place = arith.addi %from, %own : i32
        sm90.mbarrier_wait_parity %myFull, %parity
        %x:4 = sm90.load_shared %place : i32, i32, i32, i32
        sm90.warp_sync
        sm90.mbarrier_arrive %myEmpty if %isLane0
        %next = arith.addi %n, %c1 : i32
        scf.yield %next : i32
      }
    }
    return
  }
}

// -----

// More bytes are announced than come.
// CHECK: tawa.unproved
// CHECK-LABEL: @more_bytes
module {
  func.func @more_bytes(%map: !sm90.tensormap {sm90.tensor_map = #sm90.tensor_map<argument = 0, box = [64, 8], element = f16, swizzle = b128>}, %count: i32)
      attributes {sm90.kernel, sm90.threads = 64 : i32, sm90.shared_bytes = 2080 : i32, sm90.cluster = array<i32: 1, 1, 1>, sm90.entry_registers = 128 : i32} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c5 = arith.constant 5 : i32
    %c8 = arith.constant 8 : i32
    %c1024 = arith.constant 1024 : i32
    %c16 = arith.constant 16 : i32
    %bytes = arith.constant 1040 : i32
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
    scf.if %isFirst {
      sm90.mbarrier_init %full, 1
      sm90.mbarrier_init %full1, 1
      sm90.mbarrier_init %empty, 1
      sm90.mbarrier_init %empty1, 1
      sm90.fence_mbarrier_init
    }
    sm90.barrier_sync 0, 64
    %isProducer = arith.cmpi ult, %warp, %c1 : i32
    scf.if %isProducer {
      %elected = sm90.elect_sync : i1
      scf.if %elected {
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
          // expected-remark @+1 {{not proved: 1040 bytes are announced for a slot, and 1024 come}}
          sm90.mbarrier_wait_parity %myEmpty, %other
          sm90.mbarrier_arrive_expect_tx %myFull, %bytes
          sm90.tma_load %to, %map[%c0, %k], %myFull
          %next = arith.addi %n, %c1 : i32
          scf.yield %next : i32
        }
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
        %own = arith.muli %lane, %c16 : i32
        %place = arith.addi %from, %own : i32
        sm90.mbarrier_wait_parity %myFull, %parity
        %x:4 = sm90.load_shared %place : i32, i32, i32, i32
        sm90.warp_sync
        sm90.mbarrier_arrive %myEmpty if %isLane0
        %next = arith.addi %n, %c1 : i32
        scf.yield %next : i32
      }
    }
    return
  }
}

// -----

// The parity is always that of round 0.
// CHECK: tawa.unproved
// CHECK-LABEL: @constant_parity
module {
  func.func @constant_parity(%map: !sm90.tensormap {sm90.tensor_map = #sm90.tensor_map<argument = 0, box = [64, 8], element = f16, swizzle = b128>}, %count: i32)
      attributes {sm90.kernel, sm90.threads = 64 : i32, sm90.shared_bytes = 2080 : i32, sm90.cluster = array<i32: 1, 1, 1>, sm90.entry_registers = 128 : i32} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c5 = arith.constant 5 : i32
    %c8 = arith.constant 8 : i32
    %c1024 = arith.constant 1024 : i32
    %c16 = arith.constant 16 : i32
    %bytes = arith.constant 1024 : i32
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
    scf.if %isFirst {
      sm90.mbarrier_init %full, 1
      sm90.mbarrier_init %full1, 1
      sm90.mbarrier_init %empty, 1
      sm90.mbarrier_init %empty1, 1
      sm90.fence_mbarrier_init
    }
    sm90.barrier_sync 0, 64
    %isProducer = arith.cmpi ult, %warp, %c1 : i32
    scf.if %isProducer {
      %elected = sm90.elect_sync : i1
      scf.if %elected {
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
          sm90.mbarrier_wait_parity %myEmpty, %other
          sm90.mbarrier_arrive_expect_tx %myFull, %bytes
          sm90.tma_load %to, %map[%c0, %k], %myFull
          %next = arith.addi %n, %c1 : i32
          scf.yield %next : i32
        }
      }
    } else {
      %gets = scf.for %k = %c0 to %count step %c1 iter_args(%n = %c0) -> (i32) : i32 {
        %slot = arith.remui %n, %c2 : i32
        %round = arith.divui %n, %c2 : i32
        %parity = arith.andi %round, %c0 : i32
        %byte = arith.muli %slot, %c8 : i32
        %myFull = arith.addi %full, %byte : i32
        %myEmpty = arith.addi %empty, %byte : i32
        %tile = arith.muli %slot, %c1024 : i32
        %from = arith.addi %base, %tile : i32
        %own = arith.muli %lane, %c16 : i32
        %place = arith.addi %from, %own : i32
        // expected-remark @+1 {{not proved: this parity is not that of the slot}}
        sm90.mbarrier_wait_parity %myFull, %parity
        %x:4 = sm90.load_shared %place : i32, i32, i32, i32
        sm90.warp_sync
        sm90.mbarrier_arrive %myEmpty if %isLane0
        %next = arith.addi %n, %c1 : i32
        scf.yield %next : i32
      }
    }
    return
  }
}

// -----

// Lane 0 gives the slot back before the other lanes are known to have read it.
// CHECK: tawa.unproved
// CHECK-LABEL: @no_warp_barrier
module {
  func.func @no_warp_barrier(%map: !sm90.tensormap {sm90.tensor_map = #sm90.tensor_map<argument = 0, box = [64, 8], element = f16, swizzle = b128>}, %count: i32)
      attributes {sm90.kernel, sm90.threads = 64 : i32, sm90.shared_bytes = 2080 : i32, sm90.cluster = array<i32: 1, 1, 1>, sm90.entry_registers = 128 : i32} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c5 = arith.constant 5 : i32
    %c8 = arith.constant 8 : i32
    %c1024 = arith.constant 1024 : i32
    %c16 = arith.constant 16 : i32
    %bytes = arith.constant 1024 : i32
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
    scf.if %isFirst {
      sm90.mbarrier_init %full, 1
      sm90.mbarrier_init %full1, 1
      sm90.mbarrier_init %empty, 1
      sm90.mbarrier_init %empty1, 1
      sm90.fence_mbarrier_init
    }
    sm90.barrier_sync 0, 64
    %isProducer = arith.cmpi ult, %warp, %c1 : i32
    scf.if %isProducer {
      %elected = sm90.elect_sync : i1
      scf.if %elected {
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
          sm90.mbarrier_wait_parity %myEmpty, %other
          sm90.mbarrier_arrive_expect_tx %myFull, %bytes
          sm90.tma_load %to, %map[%c0, %k], %myFull
          %next = arith.addi %n, %c1 : i32
          scf.yield %next : i32
        }
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
        %own = arith.muli %lane, %c16 : i32
        %place = arith.addi %from, %own : i32
        sm90.mbarrier_wait_parity %myFull, %parity
        %x:4 = sm90.load_shared %place : i32, i32, i32, i32
        
        // expected-remark @+1 {{not proved: a lane gives back a slot of ring 0 that others of its warp may still read}}
        sm90.mbarrier_arrive %myEmpty if %isLane0
        %next = arith.addi %n, %c1 : i32
        scf.yield %next : i32
      }
    }
    return
  }
}

// -----

// A panel that a role stages for a store.
// CHECK: tawa.proved
// CHECK-LABEL: @panel
module {
  func.func @panel(%map: !sm90.tensormap {sm90.tensor_map = #sm90.tensor_map<argument = 0, box = [64, 8], element = f16, swizzle = b128>}, %x: i32)
      attributes {sm90.kernel, sm90.threads = 64 : i32, sm90.shared_bytes = 1024 : i32, sm90.cluster = array<i32: 1, 1, 1>, sm90.entry_registers = 128 : i32} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c5 = arith.constant 5 : i32
    %c32 = arith.constant 32 : i32
    %base = sm90.shared_base : i32
    %tid = sm90.special_register tid_x : i32
    %warp = arith.shrui %tid, %c5 : i32
    %lane = sm90.special_register laneid : i32
    %isLane0 = arith.cmpi eq, %lane, %c0 : i32
    %isFirst = arith.cmpi ult, %warp, %c1 : i32
    scf.if %isFirst {
    } else {
      %own = arith.muli %lane, %c32 : i32
      %place = arith.addi %base, %own : i32
      sm90.store_shared %place, %x : i32
      sm90.fence_proxy_async
      sm90.warp_sync
      sm90.tma_store %map[%c0, %c0], %base if %isLane0
      sm90.bulk_commit if %isLane0
      sm90.bulk_wait 0 {read}
    }
    return
  }
}

// -----

// The store may not see what was written.
// CHECK: tawa.unproved
// CHECK-LABEL: @no_fence
module {
  func.func @no_fence(%map: !sm90.tensormap {sm90.tensor_map = #sm90.tensor_map<argument = 0, box = [64, 8], element = f16, swizzle = b128>}, %x: i32)
      attributes {sm90.kernel, sm90.threads = 64 : i32, sm90.shared_bytes = 1024 : i32, sm90.cluster = array<i32: 1, 1, 1>, sm90.entry_registers = 128 : i32} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c5 = arith.constant 5 : i32
    %c32 = arith.constant 32 : i32
    %base = sm90.shared_base : i32
    %tid = sm90.special_register tid_x : i32
    %warp = arith.shrui %tid, %c5 : i32
    %lane = sm90.special_register laneid : i32
    %isLane0 = arith.cmpi eq, %lane, %c0 : i32
    %isFirst = arith.cmpi ult, %warp, %c1 : i32
    scf.if %isFirst {
    } else {
      %own = arith.muli %lane, %c32 : i32
      %place = arith.addi %base, %own : i32
      sm90.store_shared %place, %x : i32
      sm90.warp_sync
      // expected-remark @+1 {{not proved: a store that reads shared memory may meet a write of the same bytes (sm90.store_shared)}}
      sm90.tma_store %map[%c0, %c0], %base if %isLane0
      sm90.bulk_commit if %isLane0
      sm90.bulk_wait 0 {read}
    }
    return
  }
}

// -----

// Other lanes may not have written yet.
// CHECK: tawa.unproved
// CHECK-LABEL: @no_warp_barrier
module {
  func.func @no_warp_barrier(%map: !sm90.tensormap {sm90.tensor_map = #sm90.tensor_map<argument = 0, box = [64, 8], element = f16, swizzle = b128>}, %x: i32)
      attributes {sm90.kernel, sm90.threads = 64 : i32, sm90.shared_bytes = 1024 : i32, sm90.cluster = array<i32: 1, 1, 1>, sm90.entry_registers = 128 : i32} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c5 = arith.constant 5 : i32
    %c32 = arith.constant 32 : i32
    %base = sm90.shared_base : i32
    %tid = sm90.special_register tid_x : i32
    %warp = arith.shrui %tid, %c5 : i32
    %lane = sm90.special_register laneid : i32
    %isLane0 = arith.cmpi eq, %lane, %c0 : i32
    %isFirst = arith.cmpi ult, %warp, %c1 : i32
    scf.if %isFirst {
    } else {
      %own = arith.muli %lane, %c32 : i32
      %place = arith.addi %base, %own : i32
      sm90.store_shared %place, %x : i32
      sm90.fence_proxy_async
      // expected-remark @+1 {{not proved: a store that reads shared memory may meet a write of the same bytes (sm90.store_shared)}}
      sm90.tma_store %map[%c0, %c0], %base if %isLane0
      sm90.bulk_commit if %isLane0
      sm90.bulk_wait 0 {read}
    }
    return
  }
}

// -----

// The CTA may end before the panel has been read.
// CHECK: tawa.unproved
// CHECK-LABEL: @no_wait
module {
  func.func @no_wait(%map: !sm90.tensormap {sm90.tensor_map = #sm90.tensor_map<argument = 0, box = [64, 8], element = f16, swizzle = b128>}, %x: i32)
      attributes {sm90.kernel, sm90.threads = 64 : i32, sm90.shared_bytes = 1024 : i32, sm90.cluster = array<i32: 1, 1, 1>, sm90.entry_registers = 128 : i32} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c5 = arith.constant 5 : i32
    %c32 = arith.constant 32 : i32
    %base = sm90.shared_base : i32
    %tid = sm90.special_register tid_x : i32
    %warp = arith.shrui %tid, %c5 : i32
    %lane = sm90.special_register laneid : i32
    %isLane0 = arith.cmpi eq, %lane, %c0 : i32
    %isFirst = arith.cmpi ult, %warp, %c1 : i32
    scf.if %isFirst {
    } else {
      %own = arith.muli %lane, %c32 : i32
      %place = arith.addi %base, %own : i32
      sm90.store_shared %place, %x : i32
      sm90.fence_proxy_async
      sm90.warp_sync
      // expected-remark @+1 {{not proved: warp 1 may end while this store still reads shared memory}}
      sm90.tma_store %map[%c0, %c0], %base if %isLane0
      sm90.bulk_commit if %isLane0
    }
    return
  }
}

// -----

// Only this warp arrives.
// CHECK: tawa.unproved
// CHECK-LABEL: @named_barrier
module {
  func.func @named_barrier(%map: !sm90.tensormap {sm90.tensor_map = #sm90.tensor_map<argument = 0, box = [64, 8], element = f16, swizzle = b128>}, %x: i32)
      attributes {sm90.kernel, sm90.threads = 64 : i32, sm90.shared_bytes = 1024 : i32, sm90.cluster = array<i32: 1, 1, 1>, sm90.entry_registers = 128 : i32} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c5 = arith.constant 5 : i32
    %c32 = arith.constant 32 : i32
    %base = sm90.shared_base : i32
    %tid = sm90.special_register tid_x : i32
    %warp = arith.shrui %tid, %c5 : i32
    %lane = sm90.special_register laneid : i32
    %isLane0 = arith.cmpi eq, %lane, %c0 : i32
    %isFirst = arith.cmpi ult, %warp, %c1 : i32
    scf.if %isFirst {
    } else {
      %own = arith.muli %lane, %c32 : i32
      %place = arith.addi %base, %own : i32
      // expected-remark @+1 {{not proved: named barrier 1 counts 64 threads, and 32 come}}
      sm90.barrier_sync 1, 64
      sm90.store_shared %place, %x : i32
      sm90.fence_proxy_async
      sm90.warp_sync
      sm90.tma_store %map[%c0, %c0], %base if %isLane0
      sm90.bulk_commit if %isLane0
      sm90.bulk_wait 0 {read}
    }
    return
  }
}
