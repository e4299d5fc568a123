// A role writes to a slot that it has borrowed, the only one of its ring, and stores it from there: once all its warps have read the
// tile, and before the slot is given back. Here a producer loads 1024 bytes for each round; two warps read them, write 16 bytes a
// thread in their place, and each stores its half.
//
// RUN: tawa-opt %s --split-input-file --tawa-prove-machine --verify-diagnostics | FileCheck %s

// CHECK: module attributes {tawa.proved
// CHECK-LABEL: @staged
module {
  func.func @staged(%map: !sm90.tensormap {sm90.tensor_map = #sm90.tensor_map<argument = 0, box = [64, 8], element = f16, swizzle = b128>},
                    %out: !sm90.tensormap {sm90.tensor_map = #sm90.tensor_map<argument = 1, box = [64, 4], element = f16, swizzle = none>}, %count: i32)
      attributes {sm90.kernel, sm90.threads = 96 : i32, sm90.shared_bytes = 1040 : i32, sm90.cluster = array<i32: 1, 1, 1>, sm90.entry_registers = 128 : i32} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %c5 = arith.constant 5 : i32
    %c16 = arith.constant 16 : i32
    %c512 = arith.constant 512 : i32
    %bytes = arith.constant 1024 : i32
    %base = sm90.shared_base : i32
    %cFull = arith.constant 1024 : i32
    %cEmpty = arith.constant 1032 : i32
    %full = arith.addi %base, %cFull : i32
    %empty = arith.addi %base, %cEmpty : i32
    %tid = sm90.special_register tid_x : i32
    %warp = arith.shrui %tid, %c5 : i32
    %lane = sm90.special_register laneid : i32
    %isLane0 = arith.cmpi eq, %lane, %c0 : i32
    %isFirst = arith.cmpi eq, %tid, %c0 : i32
    scf.if %isFirst {
      sm90.mbarrier_init %full, 1
      sm90.mbarrier_init %empty, 2
      sm90.fence_mbarrier_init
    }
    sm90.barrier_sync 0, 96
    %isProducer = arith.cmpi ult, %warp, %c1 : i32
    scf.if %isProducer {
      %elected = sm90.elect_sync : i1
      scf.if %elected {
        %puts = scf.for %k = %c0 to %count step %c1 iter_args(%n = %c0) -> (i32) : i32 {
          %parity = arith.andi %n, %c1 : i32
          %other = arith.xori %parity, %c1 : i32
          sm90.mbarrier_wait_parity %empty, %other
          sm90.mbarrier_arrive_expect_tx %full, %bytes
          sm90.tma_load %base, %map[%c0, %k], %full
          %next = arith.addi %n, %c1 : i32
          scf.yield %next : i32
        }
      }
    } else {
      %mine = arith.subi %warp, %c1 : i32
      %half = arith.muli %mine, %c512 : i32
      %part = arith.addi %base, %half : i32
      %own = arith.muli %lane, %c16 : i32
      %place = arith.addi %part, %own : i32
      %row = arith.muli %mine, %c4 : i32
      %gets = scf.for %k = %c0 to %count step %c1 iter_args(%n = %c0) -> (i32) : i32 {
        %parity = arith.andi %n, %c1 : i32
        sm90.mbarrier_wait_parity %full, %parity
        %opposite = arith.subi %c512, %half : i32
        %there = arith.addi %base, %opposite : i32
        %other = arith.addi %there, %own : i32
        %x:4 = sm90.load_shared %other : i32, i32, i32, i32
        sm90.barrier_sync 1, 64
        sm90.store_shared %place, %x#0, %x#1, %x#2, %x#3 : i32, i32, i32, i32
        sm90.fence_proxy_async
        sm90.warp_sync
        sm90.tma_store %out[%c0, %row], %part if %isLane0
        sm90.bulk_commit if %isLane0
        sm90.bulk_wait 0 {read}
        sm90.warp_sync
        sm90.mbarrier_arrive %empty if %isLane0
        %next = arith.addi %n, %c1 : i32
        scf.yield %next : i32
      }
      sm90.bulk_wait 0 {read}
    }
    return
  }
}

// -----

// The other warp may still read.
// CHECK: tawa.unproved
// CHECK-LABEL: @early
module {
  func.func @early(%map: !sm90.tensormap {sm90.tensor_map = #sm90.tensor_map<argument = 0, box = [64, 8], element = f16, swizzle = b128>},
                    %out: !sm90.tensormap {sm90.tensor_map = #sm90.tensor_map<argument = 1, box = [64, 4], element = f16, swizzle = none>}, %count: i32)
      attributes {sm90.kernel, sm90.threads = 96 : i32, sm90.shared_bytes = 1040 : i32, sm90.cluster = array<i32: 1, 1, 1>, sm90.entry_registers = 128 : i32} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %c5 = arith.constant 5 : i32
    %c16 = arith.constant 16 : i32
    %c512 = arith.constant 512 : i32
    %bytes = arith.constant 1024 : i32
    %base = sm90.shared_base : i32
    %cFull = arith.constant 1024 : i32
    %cEmpty = arith.constant 1032 : i32
    %full = arith.addi %base, %cFull : i32
    %empty = arith.addi %base, %cEmpty : i32
    %tid = sm90.special_register tid_x : i32
    %warp = arith.shrui %tid, %c5 : i32
    %lane = sm90.special_register laneid : i32
    %isLane0 = arith.cmpi eq, %lane, %c0 : i32
    %isFirst = arith.cmpi eq, %tid, %c0 : i32
    scf.if %isFirst {
      sm90.mbarrier_init %full, 1
      sm90.mbarrier_init %empty, 2
      sm90.fence_mbarrier_init
    }
    sm90.barrier_sync 0, 96
    %isProducer = arith.cmpi ult, %warp, %c1 : i32
    scf.if %isProducer {
      %elected = sm90.elect_sync : i1
      scf.if %elected {
        %puts = scf.for %k = %c0 to %count step %c1 iter_args(%n = %c0) -> (i32) : i32 {
          %parity = arith.andi %n, %c1 : i32
          %other = arith.xori %parity, %c1 : i32
          sm90.mbarrier_wait_parity %empty, %other
          sm90.mbarrier_arrive_expect_tx %full, %bytes
          sm90.tma_load %base, %map[%c0, %k], %full
          %next = arith.addi %n, %c1 : i32
          scf.yield %next : i32
        }
      }
    } else {
      %mine = arith.subi %warp, %c1 : i32
      %half = arith.muli %mine, %c512 : i32
      %part = arith.addi %base, %half : i32
      %own = arith.muli %lane, %c16 : i32
      %place = arith.addi %part, %own : i32
      %row = arith.muli %mine, %c4 : i32
      %gets = scf.for %k = %c0 to %count step %c1 iter_args(%n = %c0) -> (i32) : i32 {
        %parity = arith.andi %n, %c1 : i32
        sm90.mbarrier_wait_parity %full, %parity
        %opposite = arith.subi %c512, %half : i32
        %there = arith.addi %base, %opposite : i32
        %other = arith.addi %there, %own : i32
        %x:4 = sm90.load_shared %other : i32, i32, i32, i32
        // expected-remark @+1 {{not proved: a write may meet a read of the same bytes}}
        sm90.store_shared %place, %x#0, %x#1, %x#2, %x#3 : i32, i32, i32, i32
        sm90.fence_proxy_async
        sm90.warp_sync
        sm90.tma_store %out[%c0, %row], %part if %isLane0
        sm90.bulk_commit if %isLane0
        sm90.bulk_wait 0 {read}
        sm90.warp_sync
        sm90.mbarrier_arrive %empty if %isLane0
        %next = arith.addi %n, %c1 : i32
        scf.yield %next : i32
      }
      sm90.bulk_wait 0 {read}
    }
    return
  }
}

// -----

// TMA may store what was there before.
// CHECK: tawa.unproved
// CHECK-LABEL: @unfenced
module {
  func.func @unfenced(%map: !sm90.tensormap {sm90.tensor_map = #sm90.tensor_map<argument = 0, box = [64, 8], element = f16, swizzle = b128>},
                    %out: !sm90.tensormap {sm90.tensor_map = #sm90.tensor_map<argument = 1, box = [64, 4], element = f16, swizzle = none>}, %count: i32)
      attributes {sm90.kernel, sm90.threads = 96 : i32, sm90.shared_bytes = 1040 : i32, sm90.cluster = array<i32: 1, 1, 1>, sm90.entry_registers = 128 : i32} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %c5 = arith.constant 5 : i32
    %c16 = arith.constant 16 : i32
    %c512 = arith.constant 512 : i32
    %bytes = arith.constant 1024 : i32
    %base = sm90.shared_base : i32
    %cFull = arith.constant 1024 : i32
    %cEmpty = arith.constant 1032 : i32
    %full = arith.addi %base, %cFull : i32
    %empty = arith.addi %base, %cEmpty : i32
    %tid = sm90.special_register tid_x : i32
    %warp = arith.shrui %tid, %c5 : i32
    %lane = sm90.special_register laneid : i32
    %isLane0 = arith.cmpi eq, %lane, %c0 : i32
    %isFirst = arith.cmpi eq, %tid, %c0 : i32
    scf.if %isFirst {
      sm90.mbarrier_init %full, 1
      sm90.mbarrier_init %empty, 2
      sm90.fence_mbarrier_init
    }
    sm90.barrier_sync 0, 96
    %isProducer = arith.cmpi ult, %warp, %c1 : i32
    scf.if %isProducer {
      %elected = sm90.elect_sync : i1
      scf.if %elected {
        %puts = scf.for %k = %c0 to %count step %c1 iter_args(%n = %c0) -> (i32) : i32 {
          %parity = arith.andi %n, %c1 : i32
          %other = arith.xori %parity, %c1 : i32
          sm90.mbarrier_wait_parity %empty, %other
          sm90.mbarrier_arrive_expect_tx %full, %bytes
          sm90.tma_load %base, %map[%c0, %k], %full
          %next = arith.addi %n, %c1 : i32
          scf.yield %next : i32
        }
      }
    } else {
      %mine = arith.subi %warp, %c1 : i32
      %half = arith.muli %mine, %c512 : i32
      %part = arith.addi %base, %half : i32
      %own = arith.muli %lane, %c16 : i32
      %place = arith.addi %part, %own : i32
      %row = arith.muli %mine, %c4 : i32
      %gets = scf.for %k = %c0 to %count step %c1 iter_args(%n = %c0) -> (i32) : i32 {
        %parity = arith.andi %n, %c1 : i32
        sm90.mbarrier_wait_parity %full, %parity
        %opposite = arith.subi %c512, %half : i32
        %there = arith.addi %base, %opposite : i32
        %other = arith.addi %there, %own : i32
        %x:4 = sm90.load_shared %other : i32, i32, i32, i32
        sm90.barrier_sync 1, 64
        sm90.store_shared %place, %x#0, %x#1, %x#2, %x#3 : i32, i32, i32, i32
        sm90.warp_sync
        // expected-remark @+1 {{not proved: a store that reads shared memory may meet a write of the same bytes}}
        sm90.tma_store %out[%c0, %row], %part if %isLane0
        sm90.bulk_commit if %isLane0
        sm90.bulk_wait 0 {read}
        sm90.warp_sync
        sm90.mbarrier_arrive %empty if %isLane0
        %next = arith.addi %n, %c1 : i32
        scf.yield %next : i32
      }
      sm90.bulk_wait 0 {read}
    }
    return
  }
}

// -----

// The next tile may come while TMA still stores.
// CHECK: tawa.unproved
// CHECK-LABEL: @reused
module {
  func.func @reused(%map: !sm90.tensormap {sm90.tensor_map = #sm90.tensor_map<argument = 0, box = [64, 8], element = f16, swizzle = b128>},
                    %out: !sm90.tensormap {sm90.tensor_map = #sm90.tensor_map<argument = 1, box = [64, 4], element = f16, swizzle = none>}, %count: i32)
      attributes {sm90.kernel, sm90.threads = 96 : i32, sm90.shared_bytes = 1040 : i32, sm90.cluster = array<i32: 1, 1, 1>, sm90.entry_registers = 128 : i32} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %c5 = arith.constant 5 : i32
    %c16 = arith.constant 16 : i32
    %c512 = arith.constant 512 : i32
    %bytes = arith.constant 1024 : i32
    %base = sm90.shared_base : i32
    %cFull = arith.constant 1024 : i32
    %cEmpty = arith.constant 1032 : i32
    %full = arith.addi %base, %cFull : i32
    %empty = arith.addi %base, %cEmpty : i32
    %tid = sm90.special_register tid_x : i32
    %warp = arith.shrui %tid, %c5 : i32
    %lane = sm90.special_register laneid : i32
    %isLane0 = arith.cmpi eq, %lane, %c0 : i32
    %isFirst = arith.cmpi eq, %tid, %c0 : i32
    scf.if %isFirst {
      sm90.mbarrier_init %full, 1
      sm90.mbarrier_init %empty, 2
      sm90.fence_mbarrier_init
    }
    sm90.barrier_sync 0, 96
    %isProducer = arith.cmpi ult, %warp, %c1 : i32
    scf.if %isProducer {
      %elected = sm90.elect_sync : i1
      scf.if %elected {
        %puts = scf.for %k = %c0 to %count step %c1 iter_args(%n = %c0) -> (i32) : i32 {
          %parity = arith.andi %n, %c1 : i32
          %other = arith.xori %parity, %c1 : i32
          sm90.mbarrier_wait_parity %empty, %other
          sm90.mbarrier_arrive_expect_tx %full, %bytes
          sm90.tma_load %base, %map[%c0, %k], %full
          %next = arith.addi %n, %c1 : i32
          scf.yield %next : i32
        }
      }
    } else {
      %mine = arith.subi %warp, %c1 : i32
      %half = arith.muli %mine, %c512 : i32
      %part = arith.addi %base, %half : i32
      %own = arith.muli %lane, %c16 : i32
      %place = arith.addi %part, %own : i32
      %row = arith.muli %mine, %c4 : i32
      %gets = scf.for %k = %c0 to %count step %c1 iter_args(%n = %c0) -> (i32) : i32 {
        %parity = arith.andi %n, %c1 : i32
        sm90.mbarrier_wait_parity %full, %parity
        %opposite = arith.subi %c512, %half : i32
        %there = arith.addi %base, %opposite : i32
        %other = arith.addi %there, %own : i32
        %x:4 = sm90.load_shared %other : i32, i32, i32, i32
        sm90.barrier_sync 1, 64
        sm90.store_shared %place, %x#0, %x#1, %x#2, %x#3 : i32, i32, i32, i32
        sm90.fence_proxy_async
        sm90.warp_sync
        sm90.tma_store %out[%c0, %row], %part if %isLane0
        sm90.bulk_commit if %isLane0
        sm90.warp_sync
        // expected-remark @+1 {{not proved: a lane gives back a slot of ring 0 that others of its warp may still read}}
        sm90.mbarrier_arrive %empty if %isLane0
        %next = arith.addi %n, %c1 : i32
        scf.yield %next : i32
      }
      sm90.bulk_wait 0 {read}
    }
    return
  }
}

// -----

// The tile is gone.
// CHECK: tawa.unproved
// CHECK-LABEL: @read_again
module {
  func.func @read_again(%map: !sm90.tensormap {sm90.tensor_map = #sm90.tensor_map<argument = 0, box = [64, 8], element = f16, swizzle = b128>},
                    %out: !sm90.tensormap {sm90.tensor_map = #sm90.tensor_map<argument = 1, box = [64, 4], element = f16, swizzle = none>}, %count: i32)
      attributes {sm90.kernel, sm90.threads = 96 : i32, sm90.shared_bytes = 1040 : i32, sm90.cluster = array<i32: 1, 1, 1>, sm90.entry_registers = 128 : i32} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %c5 = arith.constant 5 : i32
    %c16 = arith.constant 16 : i32
    %c512 = arith.constant 512 : i32
    %bytes = arith.constant 1024 : i32
    %base = sm90.shared_base : i32
    %cFull = arith.constant 1024 : i32
    %cEmpty = arith.constant 1032 : i32
    %full = arith.addi %base, %cFull : i32
    %empty = arith.addi %base, %cEmpty : i32
    %tid = sm90.special_register tid_x : i32
    %warp = arith.shrui %tid, %c5 : i32
    %lane = sm90.special_register laneid : i32
    %isLane0 = arith.cmpi eq, %lane, %c0 : i32
    %isFirst = arith.cmpi eq, %tid, %c0 : i32
    scf.if %isFirst {
      sm90.mbarrier_init %full, 1
      sm90.mbarrier_init %empty, 2
      sm90.fence_mbarrier_init
    }
    sm90.barrier_sync 0, 96
    %isProducer = arith.cmpi ult, %warp, %c1 : i32
    scf.if %isProducer {
      %elected = sm90.elect_sync : i1
      scf.if %elected {
        %puts = scf.for %k = %c0 to %count step %c1 iter_args(%n = %c0) -> (i32) : i32 {
          %parity = arith.andi %n, %c1 : i32
          %other = arith.xori %parity, %c1 : i32
          sm90.mbarrier_wait_parity %empty, %other
          sm90.mbarrier_arrive_expect_tx %full, %bytes
          sm90.tma_load %base, %map[%c0, %k], %full
          %next = arith.addi %n, %c1 : i32
          scf.yield %next : i32
        }
      }
    } else {
      %mine = arith.subi %warp, %c1 : i32
      %half = arith.muli %mine, %c512 : i32
      %part = arith.addi %base, %half : i32
      %own = arith.muli %lane, %c16 : i32
      %place = arith.addi %part, %own : i32
      %row = arith.muli %mine, %c4 : i32
      %gets = scf.for %k = %c0 to %count step %c1 iter_args(%n = %c0) -> (i32) : i32 {
        %parity = arith.andi %n, %c1 : i32
        sm90.mbarrier_wait_parity %full, %parity
        %opposite = arith.subi %c512, %half : i32
        %there = arith.addi %base, %opposite : i32
        %other = arith.addi %there, %own : i32
        %x:4 = sm90.load_shared %other : i32, i32, i32, i32
        sm90.barrier_sync 1, 64
        sm90.store_shared %place, %x#0, %x#1, %x#2, %x#3 : i32, i32, i32, i32
        sm90.fence_proxy_async
        sm90.warp_sync
        sm90.tma_store %out[%c0, %row], %part if %isLane0
        sm90.bulk_commit if %isLane0
        sm90.bulk_wait 0 {read}
        sm90.warp_sync
        // expected-remark @+1 {{not proved: this reads a slot of ring 0 that the role has written to}}
        %y:4 = sm90.load_shared %other : i32, i32, i32, i32
        sm90.mbarrier_arrive %empty if %isLane0
        %next = arith.addi %n, %c1 : i32
        scf.yield %next : i32
      }
      sm90.bulk_wait 0 {read}
    }
    return
  }
}
