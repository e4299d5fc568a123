// Every element is accessed once, by its owner; results are computed only where they are used, and copies get them
// through scratch. A barrier precedes a release. Several atomics of a thread are released and acquired by one fence each;
// sums that are not read add neighbours at once.
// RUN: tawa-opt %s --split-input-file --tawa-specialize-arguments --tawa-lower-aref --canonicalize --cse | FileCheck %s

#copies = #tawa.linear<[16], register = [], lane = [[1], [2], [4], [8], [0]], warp = [[0]]>

// CHECK-LABEL: func.func @tensor
// CHECK-SAME: sm90.shared_bytes = 64 : i32
tt.func public @tensor(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>) {
  tawa.warp_group main warps(2) registers(0) {
    %p = tt.splat %x : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>, #copies>
    %one = arith.constant dense<1.0> : tensor<16xf32, #copies>
    %true = arith.constant dense<true> : tensor<16xi1, #copies>
    // CHECK: sm90.atomic_rmw fadd relaxed gpu %{{.*}}, %{{.*}} if %[[OWNER:.*]] : !llvm.ptr<1>, f32
    // CHECK-NOT: ->
    %none = tt.atomic_rmw fadd, relaxed, gpu, %p, %one, %true : (tensor<16x!tt.ptr<f32>, #copies>, tensor<16xf32, #copies>, tensor<16xi1, #copies>) -> tensor<16xf32, #copies>
    // CHECK: %[[OLD:.*]] = sm90.atomic_rmw fadd relaxed gpu %{{.*}}, %{{.*}} if %[[OWNER]] : !llvm.ptr<1>, f32 -> f32
    // CHECK: sm90.store_shared %{{.*}}, %[[OLD]] if %[[OWNER]] : f32
    // CHECK: sm90.barrier_sync 0, 64
    // CHECK: %[[SEEN:.*]] = sm90.load_shared
    %old = tt.atomic_rmw fadd, relaxed, gpu, %p, %one, %true : (tensor<16x!tt.ptr<f32>, #copies>, tensor<16xf32, #copies>, tensor<16xi1, #copies>) -> tensor<16xf32, #copies>
    %q = tt.splat %y : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>, #copies>
    // CHECK: sm90.store_global %{{.*}}, %[[SEEN]] if %[[OWNER]]
    tt.store %q, %old : tensor<16x!tt.ptr<f32>, #copies>
  }
  tt.return
}

// -----

// One thread executes it, all threads get the result; earlier stores are visible to the thread that takes the lock.
// CHECK-LABEL: func.func @scalar
tt.func public @scalar(%lock: !tt.ptr<i32>, %data: !tt.ptr<i32>) {
  tawa.warp_group main warps(4) registers(0) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    // CHECK: sm90.store_global %{{.*}}, %c1_i32 if %[[ONE:.*]] : i32
    tt.store %data, %c1 : !tt.ptr<i32>
    // CHECK: sm90.barrier_sync 0, 128
    // CHECK: %[[OLD:.*]] = sm90.atomic_cas acq_rel gpu %{{.*}}, %c0_i32, %c1_i32 if %[[ONE]] : !llvm.ptr<1>, i32
    // CHECK: sm90.store_shared %{{.*}}, %[[OLD]] if %[[ONE]] : i32
    // CHECK: sm90.barrier_sync 0, 128
    // CHECK: %[[SEEN:.*]] = sm90.load_shared
    %old = tt.atomic_cas acq_rel, gpu, %lock, %c0, %c1 : (!tt.ptr<i32>, i32, i32) -> i32
    // CHECK: sm90.store_global %{{.*}}, %[[SEEN]] if %[[ONE]] : i32
    tt.store %data, %old : !tt.ptr<i32>
  }
  tt.return
}

// -----

#four = #tawa.linear<[256], register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [[128]]>

// CHECK-LABEL: func.func @neighbours
tt.func public @neighbours(%x: !tt.ptr<f32>, %h: !tt.ptr<bf16>) {
  tawa.warp_group main warps(2) registers(0) {
    %range = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32, #four>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #four>
    %p = tt.addptr %xs, %range : tensor<256x!tt.ptr<f32>, #four>, tensor<256xi32, #four>
    %one = arith.constant dense<1.0> : tensor<256xf32, #four>
    // One access of a thread releases by itself.
    // CHECK-NOT: sm90.fence_acq_rel
    // CHECK: sm90.add_global release gpu %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {type = f32} : f32, f32, f32, f32
    %0 = tt.atomic_rmw fadd, acq_rel, gpu, %p, %one {tawa.vector = 4 : i32} : (tensor<256x!tt.ptr<f32>, #four>, tensor<256xf32, #four>) -> tensor<256xf32, #four>
    %hs = tt.splat %h : !tt.ptr<bf16> -> tensor<256x!tt.ptr<bf16>, #four>
    %q = tt.addptr %hs, %range : tensor<256x!tt.ptr<bf16>, #four>, tensor<256xi32, #four>
    %half = arith.constant dense<1.0> : tensor<256xbf16, #four>
    // CHECK: sm90.add_global relaxed gpu %{{.*}}, %{{.*}}, %{{.*}} {type = bf16} : i32, i32
    %1 = tt.atomic_rmw fadd, relaxed, gpu, %q, %half {tawa.vector = 4 : i32} : (tensor<256x!tt.ptr<bf16>, #four>, tensor<256xbf16, #four>) -> tensor<256xbf16, #four>
  }
  tt.return
}

// -----

#apart = #tawa.linear<[256], register = [[64], [128]], lane = [[1], [2], [4], [8], [16]], warp = [[32]]>

// CHECK-LABEL: func.func @fences
tt.func public @fences(%x: !tt.ptr<i32>, %y: !tt.ptr<i32>) {
  tawa.warp_group main warps(2) registers(0) {
    %range = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32, #apart>
    %xs = tt.splat %x : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>, #apart>
    %p = tt.addptr %xs, %range : tensor<256x!tt.ptr<i32>, #apart>, tensor<256xi32, #apart>
    // What is unused acquires nothing.
    // CHECK: sm90.barrier_sync 0, 64
    // CHECK-NEXT: sm90.fence_acq_rel sys
    // CHECK-COUNT-4: sm90.atomic_rmw add relaxed sys
    // CHECK-NOT: sm90.fence_acq_rel
    %0 = tt.atomic_rmw add, acq_rel, sys, %p, %range : (tensor<256x!tt.ptr<i32>, #apart>, tensor<256xi32, #apart>) -> tensor<256xi32, #apart>
    // CHECK: sm90.barrier_sync 0, 64
    // CHECK: sm90.fence_acq_rel gpu
    // CHECK-COUNT-4: sm90.atomic_rmw add relaxed gpu {{.*}} -> i32
    // CHECK: sm90.fence_acq_rel gpu
    // CHECK: sm90.barrier_sync 0, 64
    %1 = tt.atomic_rmw add, acq_rel, gpu, %p, %range : (tensor<256x!tt.ptr<i32>, #apart>, tensor<256xi32, #apart>) -> tensor<256xi32, #apart>
    %ys = tt.splat %y : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>, #apart>
    %q = tt.addptr %ys, %range : tensor<256x!tt.ptr<i32>, #apart>, tensor<256xi32, #apart>
    tt.store %q, %1 {tawa.vector = 1 : i32} : tensor<256x!tt.ptr<i32>, #apart>
  }
  tt.return
}
