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
  // CHECK: "barrier.cluster.arrive.release.aligned;"
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
