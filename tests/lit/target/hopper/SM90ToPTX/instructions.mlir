// Each instruction in the PTX ISA's words. The unit test Ptx.AssemblesEveryInstruction gives this file to ptxas.
//
// RUN: tawa-opt %s --tawa-sm90-to-ptx | FileCheck %s

// CHECK-LABEL: llvm.func @control
func.func @control(%value: i32, %x: f32, %out: !llvm.ptr<1>)
    attributes {sm90.kernel, sm90.threads = 384 : i32, sm90.shared_bytes = 0 : i32} {
  // CHECK: llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.tid.x"
  %tid = sm90.special_register tid_x : i32
  // CHECK: llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.nctaid.z"
  %nctaid = sm90.special_register nctaid_z : i32
  // CHECK: llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.cluster.ctarank"
  %rank = sm90.special_register cluster_ctarank : i32
  // CHECK: llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.laneid"
  %lane = sm90.special_register laneid : i32
  // The warp is tid.x / 32.
  // CHECK: %[[TID:.*]] = llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.tid.x"
  // CHECK: llvm.lshr %[[TID]]
  %warp = sm90.special_register warpid : i32
  // CHECK: llvm.inline_asm has_side_effects "elect.sync _|$0, 0xffffffff;", "=b,~{memory}"
  %leader = sm90.elect_sync : i1
  // CHECK: "shfl.sync.bfly.b32 $0, $1, $2, 0x1f, 0xffffffff;", "=r,r,r,~{memory}"
  %a = sm90.shuffle bfly %value, %tid : i32
  // CHECK: "shfl.sync.up.b32 $0, $1, $2, 0, 0xffffffff;", "=f,f,r,~{memory}"
  %b = sm90.shuffle up %x, %tid : f32
  // CHECK: llvm.inline_asm has_side_effects "griddepcontrol.wait;", "~{memory}"
  sm90.grid_dependency_wait
  // CHECK: "setmaxnreg.inc.sync.aligned.u32 232;"
  sm90.set_max_registers inc 232
  // CHECK: "setmaxnreg.dec.sync.aligned.u32 40;"
  sm90.set_max_registers dec 40
  %s0 = arith.addi %a, %nctaid : i32
  %s1 = arith.addi %s0, %rank : i32
  %s2 = arith.addi %s1, %lane : i32
  %s3 = arith.addi %s2, %warp : i32
  sm90.store_global %out, %s3 if %leader : i32
  sm90.store_global %out, %b if %leader : f32
  // CHECK: "trap;"
  sm90.trap
  return
}

// CHECK-LABEL: llvm.func @barriers
func.func @barriers(%address: i32, %bytes: i32, %n: i32)
    attributes {sm90.kernel, sm90.threads = 384 : i32, sm90.shared_bytes = 64 : i32} {
  %on = arith.cmpi ne, %n, %bytes : i32
  // CHECK: "mbarrier.init.shared::cta.b64 [$0], 8;", "r,~{memory}"
  sm90.mbarrier_init %address, 8
  // CHECK: "fence.mbarrier_init.release.cluster;"
  sm90.fence_mbarrier_init
  // CHECK: "mbarrier.arrive.shared::cta.b64 _, [$0];", "r,~{memory}"
  sm90.mbarrier_arrive %address
  // A predicate is part of the instruction.
  // CHECK: "@$1 mbarrier.arrive.shared::cta.b64 _, [$0];", "r,b,~{memory}"
  sm90.mbarrier_arrive %address if %on
  // CHECK: "@$2 mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], $1;", "r,r,b,~{memory}"
  sm90.mbarrier_arrive_expect_tx %address, %bytes if %on
  // CHECK: mbarrier.try_wait.parity.shared::cta.b64 done, [$0], $1;
  sm90.mbarrier_wait_parity %address, %n
  // Nothing is read or written by mapa: it may be moved and merged.
  // CHECK: llvm.inline_asm "mapa.shared::cluster.u32 $0, $1, $2;", "=r,r,r"
  %remote = sm90.map_shared_rank %address, %n : i32
  // CHECK: "@$1 mbarrier.arrive.shared::cluster.b64 _, [$0];", "r,b,~{memory}"
  sm90.mbarrier_arrive_cluster %remote if %on
  // CHECK: "mbarrier.inval.shared::cta.b64 [$0];"
  sm90.mbarrier_inval %address
  // CHECK: "fence.proxy.async.shared::cta;"
  sm90.fence_proxy_async
  // CHECK: "bar.sync 1, 128;"
  sm90.barrier_sync 1, 128
  // CHECK: "bar.arrive 2, 256;"
  sm90.barrier_arrive 2, 256
  // CHECK: "bar.warp.sync 0xffffffff;"
  sm90.warp_sync
  // CHECK: "barrier.cluster.arrive.relaxed.aligned;"
  sm90.cluster_arrive
  // CHECK: "barrier.cluster.wait.acquire.aligned;"
  sm90.cluster_wait
  return
}

// CHECK-LABEL: llvm.func @tma
func.func @tma(%map: !sm90.tensormap, %slot: i32, %c: i32, %mask: i16)
    attributes {sm90.kernel, sm90.threads = 384 : i32, sm90.shared_bytes = 1024 : i32} {
  %on = sm90.elect_sync : i1
  // CHECK: "@$1 prefetch.tensormap [$0];", "l,b,~{memory}"
  sm90.prefetch_tensormap %map if %on
  // CHECK: "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1, {$2, $3}], [$4];", "r,l,r,r,r,~{memory}"
  sm90.tma_load %slot, %map[%c, %c], %slot
  // CHECK: "@$9 cp.async.bulk.tensor.5d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [$0], [$1, {$2, $3, $4, $5, $6}], [$7], $8;", "r,l,r,r,r,r,r,r,h,b,~{memory}"
  sm90.tma_load %slot, %map[%c, %c, %c, %c, %c], %slot multicast %mask if %on
  // CHECK: "@$3 cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [$0, {$1}], [$2];", "l,r,r,b,~{memory}"
  sm90.tma_store %map[%c], %slot if %on
  // CHECK: "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group [$0, {$1, $2}], [$3];", "l,r,r,r,~{memory}"
  sm90.tma_store %map[%c, %c], %slot {tawa.adds}
  // CHECK: "@$0 cp.async.bulk.commit_group;", "b,~{memory}"
  sm90.bulk_commit if %on
  // CHECK: "cp.async.bulk.wait_group.read 0;"
  sm90.bulk_wait 0 {read}
  // CHECK: "cp.async.bulk.wait_group 1;"
  sm90.bulk_wait 1
  return
}

// CHECK-LABEL: llvm.func @memory
func.func @memory(%pointer: !llvm.ptr<1>, %address: i32, %n: i32, %lo: f32, %hi: f32)
    attributes {sm90.kernel, sm90.threads = 128 : i32, sm90.shared_bytes = 4096 : i32} {
  %on = arith.cmpi ne, %n, %address : i32
  // CHECK: "ld.shared.b32 $0, [$1];", "=f,r,~{memory}"
  %x = sm90.load_shared %address : f32
  // Lanes that are off keep zero, tied to the results.
  // CHECK: "@$9 ld.shared.v4.b32 {$0, $1, $2, $3}, [$8];", "=r,=r,=r,=r,0,1,2,3,r,b,~{memory}"
  %v:4 = sm90.load_shared %address if %on : i32, i32, i32, i32
  // CHECK: "@$3 st.shared.v2.b32 [$0], {$1, $2};", "r,r,r,b,~{memory}"
  sm90.store_shared %address, %v#0, %v#3 if %on : i32, i32
  sm90.store_shared %address, %x : f32
  // CHECK: "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [$0], {$1, $2, $3, $4}, [$5];", "r,f,f,f,f,r,~{memory}"
  sm90.store_async %address, %x, %lo, %hi, %x count on %n : f32, f32, f32, f32
  // CHECK: "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [$0], $1, [$2];", "r,r,r,~{memory}"
  sm90.store_async %address, %v#0 count on %n : i32
  // CHECK: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 done, [$0], $1;
  sm90.mbarrier_wait_parity %address, %n {acquiresCluster}
  // CHECK: %[[HALF:.*]] = llvm.inline_asm has_side_effects "@$3 ld.global.b16 $0, [$2];", "=h,0,l,b,~{memory}"
  // CHECK: llvm.bitcast %[[HALF]] : i16 to f16
  %h = sm90.load_global %pointer if %on : f16
  // CHECK: "st.global.b16 [$0], $1;", "l,h,~{memory}"
  sm90.store_global %pointer, %h : f16
  // CHECK: %[[BYTE:.*]] = llvm.inline_asm has_side_effects "ld.global.u8 $0, [$1];", "=h,l,~{memory}"
  // CHECK: llvm.trunc %[[BYTE]] : i16 to i8
  %b = sm90.load_global %pointer : i8
  // CHECK: llvm.zext %{{.*}} : i8 to i16
  // CHECK: "st.global.u8 [$0], $1;", "l,h,~{memory}"
  sm90.store_global %pointer, %b : i8
  // CHECK: "ld.global.b64 $0, [$1];", "=d,l,~{memory}"
  %d = sm90.load_global %pointer : f64
  sm90.store_global %pointer, %d : f64
  // The instruction takes the high half first.
  // CHECK: llvm.inline_asm "cvt.rn.f16x2.f32 $0, $2, $1;", "=r,f,f"
  %w = sm90.cvt_pack %lo, %hi {type = f16} : (f32, f32) -> i32
  // CHECK: llvm.inline_asm "cvt.rn.bf16x2.f32 $0, $2, $1;", "=r,f,f"
  %w2 = sm90.cvt_pack %lo, %hi {type = bf16} : (f32, f32) -> i32
  // CHECK: "stmatrix.sync.aligned.m8n8.x4.shared.b16 [$0], {$1, $2, $3, $4};", "r,r,r,r,r,~{memory}"
  sm90.stmatrix %address, %w, %w2, %w, %w2
  // CHECK: "stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [$0], {$1};"
  sm90.stmatrix %address, %w {trans}
  // CHECK: "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {$0, $1}, [$2];", "=r,=r,r,~{memory}"
  %l:2 = sm90.ldmatrix %address : i32, i32
  // CHECK: "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {$0, $1, $2, $3}, [$4];"
  %t:4 = sm90.ldmatrix %address {trans} : i32, i32, i32, i32
  sm90.store_shared %address, %l#0, %l#1, %t#0, %t#3 : i32, i32, i32, i32
  return
}

// CHECK-LABEL: llvm.func @accesses
func.func @accesses(%pointer: !llvm.ptr<1>, %address: i32, %n: i32)
    attributes {sm90.kernel, sm90.threads = 128 : i32, sm90.shared_bytes = 4096 : i32} {
  %on = arith.cmpi ne, %n, %address : i32
  // Elements narrower than a register share words.
  // CHECK: "@$9 ld.global.cg.v4.b32 {$0, $1, $2, $3}, [$8];", "=r,=r,=r,=r,0,1,2,3,l,b,~{memory}"
  %a:8 = sm90.load_global %pointer if %on cache cg : f16, f16, f16, f16, f16, f16, f16, f16
  // CHECK: "ld.global.L1::evict_last.v2.b64 {$0, $1}, [$2];", "=l,=l,l,~{memory}"
  %b:2 = sm90.load_global %pointer priority evict_last : i64, i64
  // The modifier wins over the priority: PTX takes one of them.
  // CHECK: "ld.global.cs.b16 $0, [$1];"
  %c:2 = sm90.load_global %pointer cache cs priority evict_first : i8, i8
  // CHECK: "ld.volatile.global.b64 $0, [$1];", "=d,l,~{memory}"
  %d = sm90.load_global %pointer volatile : f64
  // CHECK: "st.global.wt.v2.b64 [$0], {$1, $2};", "l,l,l,~{memory}"
  sm90.store_global %pointer, %b#0, %b#1 cache wt : i64, i64
  // CHECK: "@$2 st.global.L1::evict_first.b32 [$0], $1;", "l,r,b,~{memory}"
  sm90.store_global %pointer, %a#0, %a#7 if %on priority evict_first : f16, f16
  // CHECK: "st.shared.b16 [$0], $1;", "r,h,~{memory}"
  sm90.store_shared %address, %c#0, %c#1 : i8, i8
  sm90.store_global %pointer, %d : f64
  // CHECK: "@$3 cp.async.cg.shared.global [$0], [$1], 16, $2;", "r,l,r,b,~{memory}"
  sm90.cp_async %address, %pointer, 16 from %n if %on cache cg
  // CHECK: "cp.async.ca.shared.global [$0], [$1], 4;", "r,l,~{memory}"
  sm90.cp_async %address, %pointer, 4
  // CHECK: "cp.async.commit_group;"
  sm90.cp_async_commit
  // CHECK: "cp.async.wait_group 1;"
  sm90.cp_async_wait 1
  // CHECK: "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [$0];"
  sm90.cp_async_arrive %address
  return
}

// CHECK-LABEL: llvm.func @atomics
func.func @atomics(%pointer: !llvm.ptr<1>, %address: i32, %h: f16, %b: bf16, %x: f32, %d: f64, %n: i32, %w: i64)
    attributes {sm90.kernel, sm90.threads = 128 : i32, sm90.shared_bytes = 4096 : i32} {
  %on = arith.cmpi ne, %n, %address : i32
  // CHECK: "@$4 atom.acq_rel.gpu.global.add.noftz.f16 $0, [$2], $3;", "=h,0,l,h,b,~{memory}"
  %r0 = sm90.atomic_rmw fadd acq_rel gpu %pointer, %h if %on : !llvm.ptr<1>, f16 -> f16
  sm90.store_global %pointer, %r0 : f16
  // The old value is unused: red, where PTX has it with these semantics.
  // CHECK: "red.relaxed.gpu.global.add.noftz.bf16 [$0], $1;", "l,h,~{memory}"
  sm90.atomic_rmw fadd relaxed gpu %pointer, %b : !llvm.ptr<1>, bf16
  // CHECK: "atom.acq_rel.gpu.global.add.noftz.bf16 $0, [$1], $2;", "=h,l,h,~{memory}"
  sm90.atomic_rmw fadd acq_rel gpu %pointer, %b : !llvm.ptr<1>, bf16
  // CHECK: "@$5 red.relaxed.gpu.global.add.v4.f32 [$0], {$1, $2, $3, $4};", "l,f,f,f,f,b,~{memory}"
  sm90.add_global relaxed gpu %pointer, %x, %x, %x, %x if %on {type = f32} : f32, f32, f32, f32
  // CHECK: "red.release.gpu.global.add.noftz.v2.bf16x2 [$0], {$1, $2};", "l,r,r,~{memory}"
  sm90.add_global release gpu %pointer, %n, %n {type = bf16} : i32, i32
  // CHECK: "red.relaxed.sys.global.add.noftz.f16x2 [$0], $1;", "l,r,~{memory}"
  sm90.add_global relaxed sys %pointer, %n {type = f16} : i32
  // CHECK: "fence.acq_rel.gpu;", "~{memory}"
  sm90.fence_acq_rel gpu
  // CHECK: "atom.acquire.sys.global.add.f32 _, [$0], $1;", "l,f,~{memory}"
  sm90.atomic_rmw fadd acquire sys %pointer, %x : !llvm.ptr<1>, f32
  // CHECK: "@$2 red.release.cta.shared.add.f64 [$0], $1;", "r,d,b,~{memory}"
  sm90.atomic_rmw fadd release cta %address, %d if %on : i32, f64
  // CHECK: "red.relaxed.gpu.global.and.b32 [$0], $1;"
  sm90.atomic_rmw and relaxed gpu %pointer, %n : !llvm.ptr<1>, i32
  // CHECK: "red.relaxed.gpu.global.or.b64 [$0], $1;"
  sm90.atomic_rmw or relaxed gpu %pointer, %w : !llvm.ptr<1>, i64
  // CHECK: "red.relaxed.gpu.global.xor.b32 [$0], $1;"
  sm90.atomic_rmw xor relaxed gpu %pointer, %n : !llvm.ptr<1>, i32
  // CHECK: "red.relaxed.gpu.global.add.u64 [$0], $1;"
  sm90.atomic_rmw add relaxed gpu %pointer, %w : !llvm.ptr<1>, i64
  // CHECK: "red.relaxed.gpu.global.max.s32 [$0], $1;"
  sm90.atomic_rmw max relaxed gpu %pointer, %n : !llvm.ptr<1>, i32
  // CHECK: "red.relaxed.gpu.global.min.s64 [$0], $1;"
  sm90.atomic_rmw min relaxed gpu %pointer, %w : !llvm.ptr<1>, i64
  // CHECK: "red.relaxed.gpu.global.max.u64 [$0], $1;"
  sm90.atomic_rmw umax relaxed gpu %pointer, %w : !llvm.ptr<1>, i64
  // CHECK: "red.relaxed.gpu.global.min.u32 [$0], $1;"
  sm90.atomic_rmw umin relaxed gpu %pointer, %n : !llvm.ptr<1>, i32
  // CHECK: "atom.relaxed.gpu.shared.exch.b32 $0, [$1], $2;", "=f,r,f,~{memory}"
  %r1 = sm90.atomic_rmw exch relaxed gpu %address, %x : i32, f32 -> f32
  sm90.store_global %pointer, %r1 : f32
  // CHECK: "@$5 atom.acq_rel.gpu.global.cas.b32 $0, [$2], $3, $4;", "=r,0,l,r,r,b,~{memory}"
  %r2 = sm90.atomic_cas acq_rel gpu %pointer, %n, %address if %on : !llvm.ptr<1>, i32
  sm90.store_global %pointer, %r2 : i32
  // CHECK: "atom.acq_rel.gpu.global.cas.b16 $0, [$1], $2, $3;", "=h,l,h,h,~{memory}"
  %r3 = sm90.atomic_cas acq_rel gpu %pointer, %h, %r0 : !llvm.ptr<1>, f16
  sm90.store_global %pointer, %r3 : f16
  // CHECK: "atom.relaxed.sys.shared.cas.b64 $0, [$1], $2, $3;", "=l,r,l,l,~{memory}"
  %r4 = sm90.atomic_cas relaxed sys %address, %w, %w : i32, i64
  sm90.store_global %pointer, %r4 : i64
  return
}

// CHECK-LABEL: llvm.func @math
func.func @math(%pointer: !llvm.ptr<1>, %r: i32, %x: f32, %y: f32, %bytes: i16)
    attributes {sm90.kernel, sm90.threads = 128 : i32, sm90.shared_bytes = 0 : i32} {
  // CHECK: llvm.inline_asm "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$10, $11, $12, $13};", "=f,=f,=f,=f,r,r,r,r,r,r,f,f,f,f"
  %m0:4 = sm90.mma (%r, %r, %r, %r), (%r, %r), (%x, %x, %x, %x) {aType = f16, bType = f16} : f32, f32, f32, f32
  // CHECK: "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
  %m1:4 = sm90.mma (%r, %r, %r, %r), (%r, %r), (%m0#0, %m0#1, %m0#2, %m0#3) {aType = bf16, bType = bf16} : f32, f32, f32, f32
  // CHECK: "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32
  %m2:4 = sm90.mma (%r, %r, %r, %r), (%r, %r), (%m1#0, %m1#1, %m1#2, %m1#3) {aType = tf32, bType = tf32} : f32, f32, f32, f32
  // Bytes of floats are two products of halves.
  // CHECK-COUNT-4: cvt.rn.f16x2.e4m3x2 $0, lo;
  // CHECK-COUNT-2: cvt.rn.f16x2.e5m2x2 $0, lo;
  // CHECK-COUNT-2: "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
  %m3:4 = sm90.mma (%r, %r, %r, %r), (%r, %r), (%m2#0, %m2#1, %m2#2, %m2#3) {aType = f8E4M3FN, bType = f8E5M2} : f32, f32, f32, f32
  // CHECK: "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {$0, $1}, {$2, $3, $4, $5}, {$6, $7}, {$8, $9};"
  %m4:2 = sm90.mma (%r, %r, %r, %r), (%r, %r), (%r, %r) {aType = f16, bType = f16} : i32, i32
  // CHECK: "mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32
  %m5:4 = sm90.mma (%r, %r, %r, %r), (%r, %r), (%r, %r, %r, %r) {aType = i8, bType = ui8} : i32, i32, i32, i32
  sm90.store_global %pointer, %m3#0, %m3#1 : f32, f32
  sm90.store_global %pointer, %m4#0, %m5#1 : i32, i32
  // CHECK: llvm.inline_asm "ex2.approx.ftz.f32 $0, $1;", "=f,f"
  %a0 = sm90.approx ex2 %x {ftz} : f32
  // CHECK: "lg2.approx.f32 $0, $1;"
  %a1 = sm90.approx lg2 %a0 : f32
  // CHECK: "rcp.approx.ftz.f32
  %a2 = sm90.approx rcp %a1 {ftz} : f32
  // CHECK: "rsqrt.approx.f32
  %a3 = sm90.approx rsqrt %a2 : f32
  // CHECK: "sqrt.approx.f32
  %a4 = sm90.approx sqrt %a3 : f32
  // CHECK: "sin.approx.f32
  %a5 = sm90.approx sin %a4 : f32
  // CHECK: "cos.approx.ftz.f32
  %a6 = sm90.approx cos %a5 {ftz} : f32
  // There is no ftz form of this one.
  // CHECK: "tanh.approx.f32
  %a7 = sm90.approx tanh %a6 {ftz} : f32
  // CHECK: "cvt.rz.bf16x2.f32 $0, $2, $1;"
  %c0 = sm90.cvt_pack %a7, %x rounding rz {type = bf16} : (f32, f32) -> i32
  // CHECK: %[[H:.*]] = llvm.inline_asm "cvt.rz.f16.f32 $0, $1;", "=h,f"
  // CHECK: llvm.bitcast %[[H]] : i16 to f16
  %c1 = sm90.cvt_round %x rounding rz {type = f16} : f16
  // CHECK: "cvt.rn.bf16.f32 $0, $1;", "=h,f"
  %c2 = sm90.cvt_round %x {type = bf16} : bf16
  // CHECK: "cvt.rna.tf32.f32 $0, $1;", "=r,f"
  %c3 = sm90.cvt_round %x {type = tf32} : f32
  // CHECK: "cvt.rn.satfinite.e4m3x2.f32 $0, $2, $1;", "=h,f,f"
  %c4 = sm90.cvt_fp8_pack %x, %y {type = f8E4M3FN} : f32
  // CHECK: "cvt.rn.f16x2.e5m2x2 $0, $1;", "=r,h"
  %lo, %hi = sm90.cvt_fp8_unpack %bytes {type = f8E5M2} : f16
  // Byte 1 of the first word, then bytes 0, 3 and 2 of the second: selector 0x6741.
  // CHECK: "prmt.b32 $0, $1, $2, 26433;", "=r,r,r"
  %mixed = sm90.byte_permute %c0, %c0 [1, 4, 7, 6]
  // Halves are bytes like others: 0x5410.
  // CHECK: "prmt.b32 $0, $1, $2, 21520;", "=r,r,r"
  %halves = sm90.byte_permute %c0, %mixed [0, 1, 4, 5]
  // CHECK: "prmt.b32 $0, $1, $2, $3;", "=r,r,r,r"
  %named = sm90.byte_permute_by %mixed, %halves, %c0
  // Of half words nothing is above: no instruction makes zeros there, unless they are taken.
  %half = sm90.cvt_fp8_pack %y, %x {type = f8E4M3FN} : f32
  %wide = arith.extui %c4 : i16 to i32
  %other = arith.extui %half : i16 to i32
  // CHECK: "{\0A.reg .b16 any;\0A.reg .b32 a, b;\0Amov.b32 a, {$1, any};\0Amov.b32 b, {$2, any};\0Aprmt.b32 $0, a, b, 21520;\0A}", "=r,h,h"
  %joined = sm90.byte_permute %wide, %other [0, 1, 4, 5]
  // CHECK: "prmt.b32 $0, $1, $2, 21536;", "=r,r,r"
  %zero_above = sm90.byte_permute %wide, %other [0, 2, 4, 5]
  sm90.store_global %pointer, %halves : i32
  sm90.store_global %pointer, %named : i32
  sm90.store_global %pointer, %joined : i32
  sm90.store_global %pointer, %zero_above : i32
  sm90.store_global %pointer, %c0 : i32
  sm90.store_global %pointer, %c1 : f16
  sm90.store_global %pointer, %c2 : bf16
  sm90.store_global %pointer, %c3 : f32
  sm90.store_global %pointer, %c4 : i16
  sm90.store_global %pointer, %lo, %hi : f16, f16
  return
}

// CHECK-LABEL: llvm.func @diagnostics
func.func @diagnostics(%pointer: !llvm.ptr<1>, %x: f16, %i: i32, %w: i64)
    attributes {sm90.kernel, sm90.threads = 128 : i32, sm90.shared_bytes = 0 : i32} {
  %on = arith.cmpi ne, %i, %i : i32
  // An assert is a branch to a line of text and a trap.
  // CHECK: llvm.cond_br
  // CHECK: llvm.call @vprintf(
  // CHECK: "trap;"
  sm90.assert %on, "out of range"
  // CHECK: llvm.cond_br
  // CHECK: llvm.fpext %{{.*}} : f16 to f64
  // CHECK: llvm.call @vprintf(
  sm90.print "100% x", %x, %i, %w if %on {hex} : f16, i32, i64
  // CHECK: llvm.inline_asm "prmt.b32 $0, $1, $2, 0x5410;", "=r,r,r" %
  %r = sm90.inline_asm "prmt.b32 $0, $1, $2, 0x5410;", "=r,r,r" {pure} (%i, %i) : (i32, i32) -> i32
  // CHECK: llvm.inline_asm has_side_effects "{ add.u32 $0, $2, 1; add.u32 $1, $2, 2; }", "=r,=r,r" %
  %s:2 = sm90.inline_asm "{ add.u32 $0, $2, 1; add.u32 $1, $2, 2; }", "=r,=r,r" (%r) : (i32) -> (i32, i32)
  // CHECK: llvm.inline_asm has_side_effects "griddepcontrol.wait;", "" : () -> ()
  sm90.inline_asm "griddepcontrol.wait;", "" () : () -> ()
  sm90.store_global %pointer, %s#0, %s#1 : i32, i32
  return
}
