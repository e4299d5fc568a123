// Each instruction as a call of runtime/emulator/EmulatorAbi.def.
//
// RUN: tawa-opt %s --tawa-sm90-to-host --canonicalize | FileCheck %s

// CHECK-LABEL: llvm.func @control(
// CHECK-SAME: %[[THREAD:.*]]: !llvm.ptr, %
func.func @control(%value: i32, %x: f32, %out: !llvm.ptr<1>)
    attributes {sm90.kernel, sm90.threads = 384 : i32, sm90.shared_bytes = 0 : i32} {
  // Special registers are at offsets of the thread pointer (ThreadState.h).
  // CHECK: llvm.load %[[THREAD]] : !llvm.ptr -> i32
  %tid = sm90.special_register tid_x : i32
  // CHECK: %[[CTAID:.*]] = llvm.getelementptr %[[THREAD]][28]
  // CHECK: llvm.load %[[CTAID]] : !llvm.ptr -> i32
  %cta = sm90.special_register ctaid_y : i32
  // CHECK: llvm.getelementptr %[[THREAD]][48]
  %rank = sm90.special_register cluster_ctarank : i32
  // CHECK: llvm.getelementptr %[[THREAD]][52]
  %lane = sm90.special_register laneid : i32
  // CHECK: llvm.getelementptr %[[THREAD]][56]
  %warp = sm90.special_register warpid : i32
  // CHECK: llvm.getelementptr %[[THREAD]][60]
  %base = sm90.shared_base : i32
  // CHECK: %[[ELECTED:.*]] = llvm.call @tawa_emu_elect_sync(%[[THREAD]], %
  // CHECK: llvm.icmp "ne" %[[ELECTED]], %
  %leader = sm90.elect_sync : i1
  // CHECK: llvm.call @tawa_emu_shuffle(%[[THREAD]],
  %a = sm90.shuffle bfly %value, %tid : i32
  // CHECK: %[[WORD:.*]] = llvm.bitcast %{{.*}} : f32 to i32
  // CHECK: %[[OTHER:.*]] = llvm.call @tawa_emu_shuffle(%[[THREAD]], %{{.*}}, %[[WORD]],
  // CHECK: llvm.bitcast %[[OTHER]] : i32 to f32
  %b = sm90.shuffle up %x, %tid : f32
  // CHECK: llvm.call @tawa_emu_set_max_registers
  sm90.set_max_registers inc 232
  // CHECK: llvm.call @tawa_emu_trap(%[[THREAD]])
  sm90.trap
  %s0 = arith.addi %a, %cta : i32
  %s1 = arith.addi %s0, %rank : i32
  %s2 = arith.addi %s1, %lane : i32
  %s3 = arith.addi %s2, %warp : i32
  %s4 = arith.addi %s3, %base : i32
  sm90.store_global %out, %s4, %s4 : i32, i32
  sm90.store_global %out, %b if %leader : f32
  return
}

// CHECK-LABEL: llvm.func @barriers(
// CHECK-SAME: %[[THREAD:.*]]: !llvm.ptr, %
func.func @barriers(%address: i32, %bytes: i32)
    attributes {sm90.kernel, sm90.threads = 384 : i32, sm90.shared_bytes = 64 : i32} {
  %on = arith.cmpi ne, %address, %bytes : i32
  // CHECK: llvm.call @tawa_emu_mbarrier_init(%[[THREAD]], %[[ADDRESS:.*]], %{{.*}}) : (!llvm.ptr, i32, i32) -> ()
  sm90.mbarrier_init %address, 8
  // CHECK: llvm.call @tawa_emu_fence_mbarrier_init
  sm90.fence_mbarrier_init
  // CHECK: llvm.call @tawa_emu_mbarrier_arrive(%[[THREAD]], %[[ADDRESS]],
  sm90.mbarrier_arrive %address
  // A predicate becomes a branch.
  // CHECK: llvm.cond_br %{{.*}}, ^[[DO:bb[0-9]+]], ^[[SKIP:bb[0-9]+]]
  // CHECK: ^[[DO]]:
  // CHECK-NEXT: llvm.call @tawa_emu_mbarrier_arrive_expect_tx(%[[THREAD]], %[[ADDRESS]],
  // CHECK-NEXT: llvm.br ^[[SKIP]]
  sm90.mbarrier_arrive_expect_tx %address, %bytes if %on
  // CHECK: llvm.call @tawa_emu_mbarrier_wait_parity
  sm90.mbarrier_wait_parity %address, %bytes
  // CHECK: %[[REMOTE:.*]] = llvm.call @tawa_emu_map_shared_rank
  %remote = sm90.map_shared_rank %address, %bytes : i32
  // CHECK: llvm.call @tawa_emu_mbarrier_arrive(%[[THREAD]], %[[REMOTE]],
  sm90.mbarrier_arrive_cluster %remote
  // CHECK: llvm.call @tawa_emu_mbarrier_inval
  sm90.mbarrier_inval %address
  // CHECK: llvm.call @tawa_emu_fence_proxy_async
  sm90.fence_proxy_async
  // CHECK: llvm.call @tawa_emu_barrier_sync
  sm90.barrier_sync 1, 128
  // CHECK: llvm.call @tawa_emu_barrier_arrive
  sm90.barrier_arrive 2, 256
  // CHECK: llvm.call @tawa_emu_warp_sync
  sm90.warp_sync
  // CHECK: llvm.call @tawa_emu_cluster_arrive
  sm90.cluster_arrive
  // CHECK: llvm.call @tawa_emu_cluster_wait
  sm90.cluster_wait
  return
}

// CHECK-LABEL: llvm.func @tma(
// CHECK-SAME: %[[THREAD:.*]]: !llvm.ptr, %[[PARAMS:.*]]: !llvm.ptr)
func.func @tma(%map: !sm90.tensormap, %slot: i32, %c: i32, %mask: i16)
    attributes {sm90.kernel, sm90.threads = 384 : i32, sm90.shared_bytes = 1024 : i32} {
  // CHECK-DAG: %[[ZERO:.*]] = llvm.mlir.constant(0 : i32)
  // CHECK-DAG: %[[RANK:.*]] = llvm.mlir.constant(2 : i32)
  // Destination, map, mbarrier, rank, five coordinates, no multicast.
  // CHECK: llvm.call @tawa_emu_tma_load(%[[THREAD]], %[[SLOT:.*]], %[[PARAMS]], %[[SLOT]], %[[RANK]], %[[C:.*]], %[[C]], %[[ZERO]], %[[ZERO]], %[[ZERO]], %[[ZERO]])
  sm90.tma_load %slot, %map[%c, %c], %slot
  // CHECK: %[[MASK:.*]] = llvm.zext %{{.*}} : i16 to i32
  // CHECK: llvm.call @tawa_emu_tma_load(%[[THREAD]], %[[SLOT]], %[[PARAMS]], %[[SLOT]], %{{.*}}, %[[C]], %[[C]], %[[C]], %[[C]], %[[C]], %[[MASK]])
  sm90.tma_load %slot, %map[%c, %c, %c, %c, %c], %slot multicast %mask
  // CHECK: llvm.call @tawa_emu_tma_store(%[[THREAD]], %[[PARAMS]], %[[SLOT]], %{{.*}}, %[[C]], %[[ZERO]],
  sm90.tma_store %map[%c], %slot
  // CHECK: llvm.call @tawa_emu_tma_add(%[[THREAD]], %[[PARAMS]], %[[SLOT]], %{{.*}}, %[[C]], %[[ZERO]],
  sm90.tma_store %map[%c], %slot {tawa.adds}
  // CHECK: llvm.call @tawa_emu_bulk_commit
  sm90.bulk_commit
  // CHECK: llvm.call @tawa_emu_bulk_wait
  sm90.bulk_wait 0 {read}
  return
}

// CHECK-LABEL: llvm.func @memory(
// CHECK-SAME: %[[THREAD:.*]]: !llvm.ptr, %
func.func @memory(%pointer: !llvm.ptr<1>, %address: i32, %lo: f32, %hi: f32)
    attributes {sm90.kernel, sm90.threads = 128 : i32, sm90.shared_bytes = 4096 : i32} {
  // CHECK: %[[WORDS:.*]] = llvm.alloca
  %on = arith.cmpf olt, %lo, %hi : f32
  // The emulator checks and records the access, then it is an ordinary one.
  // CHECK: %[[PLACE:.*]] = llvm.call @tawa_emu_shared_access
  // CHECK: llvm.load %[[PLACE]] : !llvm.ptr -> f32
  %x = sm90.load_shared %address : f32
  // CHECK: llvm.cond_br
  // CHECK: llvm.call @tawa_emu_shared_access
  // CHECK-COUNT-4: llvm.load %{{.*}} : !llvm.ptr -> i32
  %v:4 = sm90.load_shared %address if %on : i32, i32, i32, i32
  // CHECK: llvm.call @tawa_emu_shared_access
  // CHECK-COUNT-4: llvm.store %{{.*}} : i32, !llvm.ptr
  sm90.store_shared %address, %v#0, %v#1, %v#2, %v#3 : i32, i32, i32, i32
  sm90.store_shared %address, %x : f32
  // CHECK: llvm.fptrunc %{{.*}} : f32 to f16
  %w = sm90.cvt_pack %lo, %hi {type = f16} : (f32, f32) -> i32
  // CHECK: llvm.fcmp "uno"
  %w2 = sm90.cvt_pack %lo, %hi {type = bf16} : (f32, f32) -> i32
  // CHECK: llvm.call @tawa_emu_store_async
  sm90.store_async %address, %w, %w2 count on %address : i32, i32
  // CHECK: llvm.call @tawa_emu_stmatrix
  sm90.stmatrix %address, %w, %w2
  // CHECK: llvm.call @tawa_emu_ldmatrix(%[[THREAD]], %{{.*}}, %{{.*}}, %{{.*}}, %[[WORDS]])
  // CHECK: llvm.load %[[WORDS]]
  %l:2 = sm90.ldmatrix %address : i32, i32
  sm90.store_shared %address, %l#0, %l#1 : i32, i32
  return
}

// CHECK-LABEL: llvm.func @more(
// CHECK-SAME: %[[THREAD:.*]]: !llvm.ptr, %
func.func @more(%pointer: !llvm.ptr<1>, %address: i32, %h: f16, %x: f32, %w: i64, %b: i16)
    attributes {sm90.kernel, sm90.threads = 128 : i32, sm90.shared_bytes = 4096 : i32} {
  // One check for the whole vector; its elements lie two bytes apart.
  // CHECK: %[[PLACE:.*]] = llvm.call @tawa_emu_global_access
  // CHECK: %[[SECOND:.*]] = llvm.getelementptr %[[PLACE]][1] : (!llvm.ptr) -> !llvm.ptr, f16
  // CHECK: llvm.load %[[SECOND]] : !llvm.ptr -> f16
  %v:8 = sm90.load_global %pointer cache cg : f16, f16, f16, f16, f16, f16, f16, f16
  // CHECK: %[[NUMBER:.*]] = llvm.ptrtoint %{{.*}} : !llvm.ptr<1> to i64
  // CHECK: %[[BITS:.*]] = llvm.bitcast %{{.*}} : f16 to i16
  // CHECK: %[[WIDE:.*]] = llvm.zext %[[BITS]] : i16 to i64
  // CHECK: %[[OLD:.*]] = llvm.call @tawa_emu_atomic_rmw(%[[THREAD]], %[[NUMBER]], %{{.*}}, %{{.*}}, %{{.*}}, %[[WIDE]])
  // CHECK: llvm.trunc %[[OLD]] : i64 to i16
  %a = sm90.atomic_rmw fadd acq_rel gpu %pointer, %v#1 : !llvm.ptr<1>, f16 -> f16
  // Element by element: the second half of a word is 2 bytes after the first.
  // CHECK: llvm.call @tawa_emu_atomic_rmw
  // CHECK: %[[NEXT:.*]] = llvm.add %{{.*}}, %{{.*}} : i64
  // CHECK: %[[HIGH:.*]] = llvm.lshr %{{.*}}, %{{.*}} : i64
  // CHECK: %[[HALF:.*]] = llvm.and %[[HIGH]], %{{.*}} : i64
  // CHECK: llvm.call @tawa_emu_atomic_rmw(%[[THREAD]], %[[NEXT]], %{{.*}}, %{{.*}}, %{{.*}}, %[[HALF]])
  %u = llvm.trunc %w : i64 to i32
  sm90.add_global relaxed gpu %pointer, %u {type = bf16} : i32
  // CHECK: llvm.zext %{{.*}} : i32 to i64
  // CHECK: llvm.call @tawa_emu_atomic_cas
  %c = sm90.atomic_cas relaxed cta %address, %w, %w : i32, i64
  // CHECK: llvm.call @tawa_emu_cp_async(%[[THREAD]],
  sm90.cp_async %address, %pointer, 16
  // CHECK: llvm.call @tawa_emu_cp_async_commit
  sm90.cp_async_commit
  // CHECK: llvm.call @tawa_emu_cp_async_wait
  sm90.cp_async_wait 0
  // CHECK: llvm.call @tawa_emu_cp_async_arrive
  sm90.cp_async_arrive %address
  // CHECK: llvm.call @tawa_emu_mma
  %m:4 = sm90.mma (%address, %address, %address, %address), (%address, %address), (%x, %x, %x, %x)
      {aType = f16, bType = f16} : f32, f32, f32, f32
  // CHECK: llvm.call @tawa_emu_approx
  %e = sm90.approx ex2 %m#0 {ftz} : f32
  // CHECK: llvm.call @tawa_emu_round_float
  %r = sm90.cvt_round %e {type = tf32} : f32
  // CHECK: llvm.call @tawa_emu_fp8_pack
  %p = sm90.cvt_fp8_pack %r, %x {type = f8E4M3FN} : f32
  // CHECK: llvm.call @tawa_emu_fp8_unpack
  %lo, %hi = sm90.cvt_fp8_unpack %p {type = f8E4M3FN} : f16
  // CHECK: llvm.call @tawa_emu_check(%[[THREAD]], %{{.*}}, %{{.*}}) : (!llvm.ptr, i32, !llvm.ptr) -> ()
  %on = arith.cmpf olt, %x, %e : f32
  sm90.assert %on, "ordered"
  // CHECK: llvm.cond_br
  // CHECK: llvm.call @tawa_emu_print
  sm90.print "x:", %x, %hi if %on : f32, f16
  sm90.store_global %pointer, %a, %lo : f16, f16
  sm90.store_global %pointer, %c : i64
  return
}
