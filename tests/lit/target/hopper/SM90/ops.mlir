// Every operation of sm90, every optional part of it, printed as it is parsed.
//
// RUN: tawa-opt %s | tawa-opt | FileCheck %s

// CHECK-LABEL: func.func @control
// CHECK-SAME: sm90.cluster = array<i32: 2, 1, 1>
func.func @control(%value: i32, %x: f32) attributes {sm90.kernel, sm90.threads = 128 : i32, sm90.shared_bytes = 1024 : i32,
                                                     sm90.cluster = array<i32: 2, 1, 1>, sm90.entry_registers = 168 : i32} {
  // CHECK: sm90.special_register tid_x : i32
  %tid = sm90.special_register tid_x : i32
  // CHECK: sm90.special_register cluster_ctarank : i32
  %rank = sm90.special_register cluster_ctarank : i32
  // CHECK: sm90.elect_sync : i1
  %leader = sm90.elect_sync : i1
  // CHECK: sm90.shuffle bfly %{{.*}}, %{{.*}} : i32
  %a = sm90.shuffle bfly %value, %tid : i32
  // CHECK: sm90.shuffle idx %{{.*}}, %{{.*}} : f32
  %b = sm90.shuffle idx %x, %tid : f32
  // CHECK: sm90.set_max_registers inc 232
  sm90.set_max_registers inc 232
  // CHECK: sm90.set_max_registers dec 40
  sm90.set_max_registers dec 40
  // CHECK: sm90.grid_dependency_wait
  sm90.grid_dependency_wait
  // CHECK: sm90.trap
  sm90.trap
  return
}

// CHECK-LABEL: func.func private @maps
// CHECK-SAME: {sm90.tensor_map = #sm90.tensor_map<argument = 1, box = [32, 64], element = f16, swizzle = b64>}
// CHECK-SAME: {sm90.tensor_map = #sm90.tensor_map<argument = 0, box = [16], element = i8, swizzle = none, described = <offset = "a2", shape = ["a1"], strides = ["1"], nan = false>>}
func.func private @maps(
    !sm90.tensormap {sm90.tensor_map = #sm90.tensor_map<argument = 1, box = [32, 64], element = f16, swizzle = b64>},
    !sm90.tensormap {sm90.tensor_map = #sm90.tensor_map<argument = 0, box = [16], element = i8, swizzle = none,
                     described = <offset = "a2", shape = ["a1"], strides = ["1"], nan = false>>})

// CHECK-LABEL: func.func @barriers
func.func @barriers(%address: i32, %bytes: i32, %on: i1) {
  // CHECK: sm90.mbarrier_init %{{.*}}, 8
  sm90.mbarrier_init %address, 8
  // CHECK: sm90.fence_mbarrier_init
  sm90.fence_mbarrier_init
  // CHECK: sm90.mbarrier_arrive %{{[a-z0-9]+$}}
  sm90.mbarrier_arrive %address
  // CHECK: sm90.mbarrier_arrive %{{.*}} if %
  sm90.mbarrier_arrive %address if %on
  // CHECK: sm90.mbarrier_arrive_expect_tx %{{.*}}, %{{.*}} if %
  sm90.mbarrier_arrive_expect_tx %address, %bytes if %on
  // CHECK: sm90.mbarrier_wait_parity %{{.*}}, %
  sm90.mbarrier_wait_parity %address, %bytes
  // CHECK: %[[REMOTE:.*]] = sm90.map_shared_rank %{{.*}}, %{{.*}} : i32
  %remote = sm90.map_shared_rank %address, %bytes : i32
  // CHECK: sm90.mbarrier_arrive_cluster %[[REMOTE]] if %
  sm90.mbarrier_arrive_cluster %remote if %on
  // CHECK: sm90.mbarrier_inval %
  sm90.mbarrier_inval %address
  // CHECK: sm90.fence_proxy_async
  sm90.fence_proxy_async
  // CHECK: sm90.barrier_sync 1, 128
  sm90.barrier_sync 1, 128
  // CHECK: sm90.barrier_arrive 15, 256
  sm90.barrier_arrive 15, 256
  // CHECK: sm90.warp_sync
  sm90.warp_sync
  // CHECK: sm90.cluster_arrive
  sm90.cluster_arrive
  // CHECK: sm90.cluster_wait
  sm90.cluster_wait
  return
}

// CHECK-LABEL: func.func @tma
func.func @tma(%map: !sm90.tensormap, %slot: i32, %c: i32, %mask: i16, %on: i1) {
  // CHECK: sm90.tma_load %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}], %{{[a-z0-9]+$}}
  sm90.tma_load %slot, %map[%c, %c], %slot
  // CHECK: sm90.tma_load %{{.*}}, %{{.*}}[%{{.*}}], %{{.*}} multicast %{{.*}} if %
  sm90.tma_load %slot, %map[%c], %slot multicast %mask if %on
  // CHECK: sm90.tma_store %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}], %{{.*}} if %
  sm90.tma_store %map[%c, %c, %c, %c, %c], %slot if %on
  // CHECK: sm90.bulk_commit if %
  sm90.bulk_commit if %on
  // CHECK: sm90.bulk_commit{{$}}
  sm90.bulk_commit
  // CHECK: sm90.bulk_wait 0 {read}
  sm90.bulk_wait 0 {read}
  // CHECK: sm90.bulk_wait 1{{$}}
  sm90.bulk_wait 1
  // CHECK: sm90.prefetch_tensormap %{{.*}} if %
  sm90.prefetch_tensormap %map if %on
  return
}

// CHECK-LABEL: func.func @wgmma
func.func @wgmma(%desc: i64, %scale: i1, %word: i32) {
  // CHECK: sm90.acc_undef : <64x8xf32>
  %none = sm90.acc_undef : !sm90.inflight<64x8xf32>
  // CHECK: sm90.wgmma_fence
  sm90.wgmma_fence
  // CHECK: sm90.wgmma %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {aType = bf16, bType = bf16, negA, transB} : <64x8xf32>
  %one = sm90.wgmma %none, %desc, %desc, %scale {aType = bf16, bType = bf16, transB, negA} : !sm90.inflight<64x8xf32>
  // CHECK: sm90.wgmma_rs %{{.*}}, (%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}), %{{.*}}, %{{.*}} {aType = f8E4M3FN, bType = f8E5M2}
  %two = sm90.wgmma_rs %one, (%word, %word, %word, %word), %desc, %scale {aType = f8E4M3FN, bType = f8E5M2}
      : !sm90.inflight<64x8xf32>
  // CHECK: sm90.wgmma_commit
  sm90.wgmma_commit
  %other = sm90.acc_undef : !sm90.inflight<64x16xi32>
  %third = sm90.wgmma %other, %desc, %desc, %scale {aType = i8, bType = i8} : !sm90.inflight<64x16xi32>
  sm90.wgmma_commit
  // CHECK: %[[R:.*]]:2 = sm90.wgmma_wait 1 %{{.*}}, %{{.*}} : (!sm90.inflight<64x8xf32>, !sm90.inflight<64x16xi32>) -> (!sm90.accumulator<64x8xf32>, !sm90.inflight<64x16xi32>)
  %r:2 = sm90.wgmma_wait 1 %two, %third : (!sm90.inflight<64x8xf32>, !sm90.inflight<64x16xi32>)
      -> (!sm90.accumulator<64x8xf32>, !sm90.inflight<64x16xi32>)
  // CHECK: sm90.wgmma_wait 0 : () -> ()
  sm90.wgmma_wait 0 : () -> ()
  // CHECK: %[[U:.*]]:4 = sm90.unpack %[[R]]#0 : <64x8xf32>
  %u:4 = sm90.unpack %r#0 : !sm90.accumulator<64x8xf32>
  // CHECK: sm90.pack %[[U]]#3, %[[U]]#2, %[[U]]#1, %[[U]]#0 : <64x8xf32>
  %p = sm90.pack %u#3, %u#2, %u#1, %u#0 : !sm90.accumulator<64x8xf32>
  // CHECK: sm90.resume %{{.*}} : <64x8xf32> -> <64x8xf32>
  %again = sm90.resume %p : !sm90.accumulator<64x8xf32> -> !sm90.inflight<64x8xf32>
  // The packed form of an f16 accumulator has n/4 registers.
  // CHECK: sm90.pack %{{.*}}, %{{.*}} : <64x8xf16>
  %h = sm90.pack %word, %word : !sm90.accumulator<64x8xf16>
  return
}

// CHECK-LABEL: func.func @memory
func.func @memory(%pointer: !llvm.ptr<1>, %on: i1, %lo: f32, %hi: f32) {
  // CHECK: %[[BASE:.*]] = sm90.shared_base : i32
  %base = sm90.shared_base : i32
  // CHECK: sm90.load_shared %[[BASE]] : f32
  %x = sm90.load_shared %base : f32
  // CHECK: sm90.load_shared %[[BASE]] if %{{.*}} : i32, i32, i32, i32
  %v:4 = sm90.load_shared %base if %on : i32, i32, i32, i32
  // CHECK: sm90.store_shared %[[BASE]], %{{.*}}, %{{.*}} if %{{.*}} : i32, i32
  sm90.store_shared %base, %v#0, %v#1 if %on : i32, i32
  // CHECK: sm90.load_global %{{.*}} if %{{.*}} : f16
  %h = sm90.load_global %pointer if %on : f16
  // CHECK: sm90.store_global %{{.*}}, %{{.*}} : f16
  sm90.store_global %pointer, %h : f16
  // CHECK: sm90.store_async %[[BASE]], %{{.*}}, %{{.*}} count on %[[BASE]] : i32, i32
  sm90.store_async %base, %v#0, %v#1 count on %base : i32, i32
  // CHECK: sm90.cvt_pack %{{.*}}, %{{.*}} {type = f16} : (f32, f32) -> i32
  %w = sm90.cvt_pack %lo, %hi {type = f16} : (f32, f32) -> i32
  // CHECK: sm90.stmatrix %[[BASE]], %{{.*}}, %{{.*}} {trans}
  sm90.stmatrix %base, %w, %w {trans}
  // CHECK: sm90.ldmatrix %[[BASE]] : i32, i32, i32, i32
  %l:4 = sm90.ldmatrix %base : i32, i32, i32, i32
  return
}

// CHECK-LABEL: func.func @accesses
func.func @accesses(%pointer: !llvm.ptr<1>, %address: i32, %on: i1) {
  // CHECK: sm90.load_global %{{.*}} if %{{.*}} cache cg priority evict_first : f16, f16, f16, f16, f16, f16, f16, f16
  %a:8 = sm90.load_global %pointer if %on cache cg priority evict_first : f16, f16, f16, f16, f16, f16, f16, f16
  // CHECK: sm90.load_global %{{.*}} volatile : i64, i64
  %b:2 = sm90.load_global %pointer volatile : i64, i64
  // CHECK: sm90.store_global %{{.*}}, %{{.*}}, %{{.*}} cache wt : i64, i64
  sm90.store_global %pointer, %b#0, %b#1 cache wt : i64, i64
  // CHECK: sm90.store_global %{{.*}}, %{{.*}}, %{{.*}} if %{{.*}} priority evict_last : f16, f16
  sm90.store_global %pointer, %a#0, %a#1 if %on priority evict_last : f16, f16
  // CHECK: sm90.cp_async %{{.*}}, %{{.*}}, 16 from %{{.*}} if %{{.*}} cache cg
  sm90.cp_async %address, %pointer, 16 from %address if %on cache cg
  // CHECK: sm90.cp_async %{{.*}}, %{{.*}}, 4{{$}}
  sm90.cp_async %address, %pointer, 4
  // CHECK: sm90.cp_async_commit
  sm90.cp_async_commit
  // CHECK: sm90.cp_async_wait 1
  sm90.cp_async_wait 1
  // CHECK: sm90.cp_async_arrive %
  sm90.cp_async_arrive %address
  return
}

// CHECK-LABEL: func.func @atomics
func.func @atomics(%pointer: !llvm.ptr<1>, %address: i32, %on: i1, %x: f16, %w: i64, %n: i32) {
  // CHECK: sm90.atomic_rmw fadd acq_rel gpu %{{.*}}, %{{.*}} if %{{.*}} : !llvm.ptr<1>, f16 -> f16
  %a = sm90.atomic_rmw fadd acq_rel gpu %pointer, %x if %on : !llvm.ptr<1>, f16 -> f16
  // CHECK: sm90.atomic_rmw umax relaxed sys %{{.*}}, %{{.*}} : !llvm.ptr<1>, i64{{$}}
  sm90.atomic_rmw umax relaxed sys %pointer, %w : !llvm.ptr<1>, i64
  // CHECK: sm90.atomic_rmw add release cta %{{.*}}, %{{.*}} : i32, i32
  sm90.atomic_rmw add release cta %address, %n : i32, i32
  // CHECK: sm90.add_global relaxed gpu %{{.*}}, %{{.*}} if %{{.*}} {type = f16} : i32
  sm90.add_global relaxed gpu %pointer, %n if %on {type = f16} : i32
  // CHECK: sm90.add_global release sys %{{.*}}, %{{.*}}, %{{.*}} {type = bf16} : i32, i32
  sm90.add_global release sys %pointer, %n, %n {type = bf16} : i32, i32
  // CHECK: sm90.fence_acq_rel gpu
  sm90.fence_acq_rel gpu
  // CHECK: sm90.atomic_cas acquire gpu %{{.*}}, %{{.*}}, %{{.*}} if %{{.*}} : !llvm.ptr<1>, i32
  %c = sm90.atomic_cas acquire gpu %pointer, %n, %n if %on : !llvm.ptr<1>, i32
  return
}

// CHECK-LABEL: func.func @math
func.func @math(%r: i32, %x: f32, %bytes: i16) {
  // CHECK: sm90.mma (%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}), (%{{.*}}, %{{.*}}), (%{{.*}}, %{{.*}}) {aType = f16, bType = f16} : i32, i32
  %h:2 = sm90.mma (%r, %r, %r, %r), (%r, %r), (%r, %r) {aType = f16, bType = f16} : i32, i32
  // CHECK: sm90.mma {{.*}} {aType = i8, bType = ui8} : i32, i32, i32, i32
  %i:4 = sm90.mma (%r, %r, %r, %r), (%r, %r), (%r, %r, %r, %r) {aType = i8, bType = ui8} : i32, i32, i32, i32
  // CHECK: sm90.approx ex2 %{{.*}} {ftz} : f32
  %e = sm90.approx ex2 %x {ftz} : f32
  // CHECK: sm90.approx tanh %{{.*}} : f32
  %t = sm90.approx tanh %x : f32
  // CHECK: sm90.cvt_pack %{{.*}}, %{{.*}} rounding rz {type = bf16}
  %p = sm90.cvt_pack %x, %e rounding rz {type = bf16} : (f32, f32) -> i32
  // CHECK: sm90.cvt_round %{{.*}} rounding rz {type = f16} : f16
  %c = sm90.cvt_round %x rounding rz {type = f16} : f16
  // CHECK: sm90.cvt_round %{{.*}} {type = tf32} : f32
  %d = sm90.cvt_round %x {type = tf32} : f32
  // CHECK: sm90.cvt_fp8_pack %{{.*}}, %{{.*}} {type = f8E4M3FN} : f32
  %q = sm90.cvt_fp8_pack %x, %e {type = f8E4M3FN} : f32
  // CHECK: %{{.*}}, %{{.*}} = sm90.cvt_fp8_unpack %{{.*}} {type = f8E5M2} : f16
  %lo, %hi = sm90.cvt_fp8_unpack %bytes {type = f8E5M2} : f16
  // CHECK: sm90.byte_permute %{{.*}}, %{{.*}} [0, 4, 1, 5]
  %b = sm90.byte_permute %p, %p [0, 4, 1, 5]
  // CHECK: sm90.byte_permute_by %{{.*}}, %{{.*}}, %{{.*}}
  %by = sm90.byte_permute_by %p, %b, %p
  return
}

// CHECK-LABEL: func.func @diagnostics
func.func @diagnostics(%on: i1, %x: f32, %i: i32) {
  // CHECK: sm90.assert %{{.*}}, "out of range"
  sm90.assert %on, "out of range"
  // CHECK: sm90.print "here"{{$}}
  sm90.print "here"
  // CHECK: sm90.print "x:", %{{.*}}, %{{.*}} if %{{.*}} {hex} : f32, i32
  sm90.print "x:", %x, %i if %on {hex} : f32, i32
  // CHECK: sm90.inline_asm "prmt.b32 $0, $1, $2, 0x5410;", "=r,r,r" {pure} (%{{.*}}, %{{.*}}) : (i32, i32) -> i32
  %r = sm90.inline_asm "prmt.b32 $0, $1, $2, 0x5410;", "=r,r,r" {pure} (%i, %i) : (i32, i32) -> i32
  // CHECK: sm90.inline_asm "griddepcontrol.wait;", "" () : () -> ()
  sm90.inline_asm "griddepcontrol.wait;", "" () : () -> ()
  return
}
