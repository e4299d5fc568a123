// wgmma in all its types, and the registers that stay in place around it.
//
// RUN: tawa-opt %s --tawa-sm90-to-ptx --canonicalize | FileCheck %s

// Outputs and tied inputs are one register each; a known scale-d is an immediate, another one a predicate.
// CHECK-LABEL: llvm.func @tied
func.func @tied(%desc: i64, %n: i32, %out: !llvm.ptr<1>)
    attributes {sm90.kernel, sm90.threads = 128 : i32, sm90.shared_bytes = 0 : i32} {
  %zero = arith.constant 0 : i32
  %scale = arith.cmpi ne, %n, %zero : i32
  %true = arith.constant true
  %none = sm90.acc_undef : !sm90.inflight<64x8xf32>
  // CHECK: "wgmma.fence.sync.aligned;", "~{memory}"
  sm90.wgmma_fence
  // What hands its accumulator straight on is one statement.
  // CHECK: "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0, $1, $2, $3}, $8, $9, $10, 1, 1, 0, 0;\0A
  // CHECK-SAME: wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0, $1, $2, $3}, $11, $12, 1, -1, 1, 1, 0;", "=f,=f,=f,=f,0,1,2,3,l,l,b,l,l,~{memory}"
  // CHECK-SAME: -> !llvm.struct<(f32, f32, f32, f32)>
  %a = sm90.wgmma %none, %desc, %desc, %scale {aType = f16, bType = f16} : !sm90.inflight<64x8xf32>
  %b = sm90.wgmma %a, %desc, %desc, %true {aType = f16, bType = f16, negA, transA} : !sm90.inflight<64x8xf32>
  // CHECK: "wgmma.commit_group.sync.aligned;"
  sm90.wgmma_commit
  // CHECK: "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,0,1,2,3,~{memory}"
  %r = sm90.wgmma_wait 0 %b : (!sm90.inflight<64x8xf32>) -> !sm90.accumulator<64x8xf32>
  %u:4 = sm90.unpack %r : !sm90.accumulator<64x8xf32>
  sm90.store_global %out, %u#0, %u#1, %u#2, %u#3 : f32, f32, f32, f32
  return
}

// CHECK-LABEL: llvm.func @types
func.func @types(%desc: i64, %word: i32, %out: !llvm.ptr<1>)
    attributes {sm90.kernel, sm90.threads = 128 : i32, sm90.shared_bytes = 0 : i32} {
  %true = arith.constant true
  %false = arith.constant false
  %f = sm90.acc_undef : !sm90.inflight<64x8xf32>
  %h = sm90.acc_undef : !sm90.inflight<64x16xf16>
  %i = sm90.acc_undef : !sm90.inflight<64x8xi32>
  sm90.wgmma_fence
  // CHECK: m64n8k16.f32.bf16.bf16 {$0, $1, $2, $3}, $8, $9, 0, 1, 1, 0, 1;
  %f0 = sm90.wgmma %f, %desc, %desc, %false {aType = bf16, bType = bf16, transB} : !sm90.inflight<64x8xf32>
  // CHECK-SAME: m64n8k8.f32.tf32.tf32 {$0, $1, $2, $3}, $10, $11, 1, 1, 1;
  %f1 = sm90.wgmma %f0, %desc, %desc, %true {aType = tf32, bType = tf32} : !sm90.inflight<64x8xf32>
  // CHECK-SAME: m64n8k32.f32.e4m3.e5m2 {$0, $1, $2, $3}, $12, $13, 1, 1, -1;
  %f2 = sm90.wgmma %f1, %desc, %desc, %true {aType = f8E4M3FN, bType = f8E5M2, negB} : !sm90.inflight<64x8xf32>
  // CHECK: m64n8k16.f32.f16.f16 {$0, $1, $2, $3}, {$8, $9, $10, $11}, $12, 1, 1, 1, 0;
  %f3 = sm90.wgmma_rs %f2, (%word, %word, %word, %word), %desc, %true {aType = f16, bType = f16} : !sm90.inflight<64x8xf32>
  // The packed f16 accumulator: n/4 registers.
  // CHECK: m64n16k16.f16.f16.f16 {$0, $1, $2, $3}, $8, $9, 0, 1, 1, 0, 0;", "=r,=r,=r,=r,0,1,2,3,l,l,~{memory}"
  %h0 = sm90.wgmma %h, %desc, %desc, %false {aType = f16, bType = f16} : !sm90.inflight<64x16xf16>
  // CHECK: m64n8k32.s32.s8.s8 {$0, $1, $2, $3}, $8, $9, 0;", "=r,
  %i0 = sm90.wgmma %i, %desc, %desc, %false {aType = i8, bType = i8} : !sm90.inflight<64x8xi32>
  sm90.wgmma_commit
  // One statement holds them all.
  // CHECK: "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=r,=r,=r,=r,=r,=r,=r,=r,0,1,2,3,4,5,6,7,8,9,10,11,~{memory}"
  %r:3 = sm90.wgmma_wait 0 %f3, %h0, %i0
      : (!sm90.inflight<64x8xf32>, !sm90.inflight<64x16xf16>, !sm90.inflight<64x8xi32>)
      -> (!sm90.accumulator<64x8xf32>, !sm90.accumulator<64x16xf16>, !sm90.accumulator<64x8xi32>)
  %u:4 = sm90.unpack %r#0 : !sm90.accumulator<64x8xf32>
  %v:4 = sm90.unpack %r#1 : !sm90.accumulator<64x16xf16>
  %w:4 = sm90.unpack %r#2 : !sm90.accumulator<64x8xi32>
  sm90.store_global %out, %u#0, %u#1, %u#2, %u#3 : f32, f32, f32, f32
  sm90.store_global %out, %v#0, %v#1, %v#2, %v#3 : i32, i32, i32, i32
  sm90.store_global %out, %w#0, %w#1, %w#2, %w#3 : i32, i32, i32, i32
  return
}

// Registers that no wgmma has written are set after the wait that hands them on, as in the branch of a loop without iterations.
// CHECK-LABEL: llvm.func @unwritten
func.func @unwritten(%x: f32, %out: !llvm.ptr<1>)
    attributes {sm90.kernel, sm90.threads = 128 : i32, sm90.shared_bytes = 0 : i32} {
  %p = sm90.pack %x, %x, %x, %x : !sm90.accumulator<64x8xf32>
  %q = sm90.pack %x, %x, %x, %x : !sm90.accumulator<64x8xf32>
  // CHECK-NOT: resume
  // CHECK: "wgmma.wait_group.sync.aligned 0;", "~{memory}"
  // CHECK: "// resume", "=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,~{memory}"
  // CHECK-NOT: resume
  %a = sm90.resume %p : !sm90.accumulator<64x8xf32> -> !sm90.inflight<64x8xf32>
  %b = sm90.resume %q : !sm90.accumulator<64x8xf32> -> !sm90.inflight<64x8xf32>
  %r:2 = sm90.wgmma_wait 0 %a, %b : (!sm90.inflight<64x8xf32>, !sm90.inflight<64x8xf32>) -> (!sm90.accumulator<64x8xf32>, !sm90.accumulator<64x8xf32>)
  %u:4 = sm90.unpack %r#0 : !sm90.accumulator<64x8xf32>
  %v:4 = sm90.unpack %r#1 : !sm90.accumulator<64x8xf32>
  sm90.store_global %out, %u#0, %u#1, %v#0, %v#1 : f32, f32, f32, f32
  return
}

// Values computed for an accumulator are fixed in its registers before the fence that lets wgmma use them.
// CHECK-LABEL: llvm.func @resume
func.func @resume(%desc: i64, %x: f32, %out: !llvm.ptr<1>)
    attributes {sm90.kernel, sm90.threads = 128 : i32, sm90.shared_bytes = 0 : i32} {
  %true = arith.constant true
  %y = arith.mulf %x, %x fastmath<contract> : f32
  %p = sm90.pack %x, %y, %y, %x : !sm90.accumulator<64x8xf32>
  // CHECK: llvm.fmul
  // CHECK: "// resume", "=f,=f,=f,=f,0,1,2,3,~{memory}"
  %a = sm90.resume %p : !sm90.accumulator<64x8xf32> -> !sm90.inflight<64x8xf32>
  // CHECK: "wgmma.fence.sync.aligned;"
  sm90.wgmma_fence
  %b = sm90.wgmma %a, %desc, %desc, %true {aType = f16, bType = f16} : !sm90.inflight<64x8xf32>
  sm90.wgmma_commit
  %r = sm90.wgmma_wait 0 %b : (!sm90.inflight<64x8xf32>) -> !sm90.accumulator<64x8xf32>
  %u:4 = sm90.unpack %r : !sm90.accumulator<64x8xf32>
  sm90.store_global %out, %u#0, %u#1, %u#2, %u#3 : f32, f32, f32, f32
  return
}

// What touches memory between two wgmmas stays between them.
// CHECK-LABEL: llvm.func @apart
func.func @apart(%desc: i64, %x: f32, %out: !llvm.ptr<1>)
    attributes {sm90.kernel, sm90.threads = 128 : i32, sm90.shared_bytes = 0 : i32} {
  %true = arith.constant true
  %none = sm90.acc_undef : !sm90.inflight<64x8xf32>
  // CHECK: wgmma.mma_async{{.*}}$8, $9, 1, 1, 1, 0, 0;", "
  %a = sm90.wgmma %none, %desc, %desc, %true {aType = f16, bType = f16} : !sm90.inflight<64x8xf32>
  // CHECK: st.global
  sm90.store_global %out, %x : f32
  // CHECK: wgmma.mma_async{{.*}}$8, $9, 1, 1, 1, 0, 0;", "
  %b = sm90.wgmma %a, %desc, %desc, %true {aType = f16, bType = f16} : !sm90.inflight<64x8xf32>
  sm90.wgmma_commit
  %r = sm90.wgmma_wait 0 %b : (!sm90.inflight<64x8xf32>) -> !sm90.accumulator<64x8xf32>
  return
}

// Through a loop, the registers are the loop's own.
// CHECK-LABEL: llvm.func @loop
func.func @loop(%desc: i64, %n: i32) attributes {sm90.kernel, sm90.threads = 128 : i32, sm90.shared_bytes = 0 : i32} {
  %true = arith.constant true
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = sm90.acc_undef : !sm90.inflight<64x8xf32>
  // CHECK: llvm.br ^[[HEAD:bb[0-9]+]](%{{.*}}, %{{.*}} : i32, !llvm.struct<(f32, f32, f32, f32)>)
  // CHECK: ^[[HEAD]](%{{.*}}: i32, %[[ACC:.*]]: !llvm.struct<(f32, f32, f32, f32)>):
  %last = scf.for %i = %zero to %n step %one iter_args(%acc = %none) -> (!sm90.inflight<64x8xf32>) : i32 {
    // CHECK: llvm.extractvalue %[[ACC]][0]
    // CHECK: wgmma.mma_async
    %next = sm90.wgmma %acc, %desc, %desc, %true {aType = f16, bType = f16} : !sm90.inflight<64x8xf32>
    // CHECK: llvm.br ^[[HEAD]]
    scf.yield %next : !sm90.inflight<64x8xf32>
  }
  return
}
