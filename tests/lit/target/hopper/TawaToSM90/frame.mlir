// A kernel that is not split into roles: one branchless role of any power of two of warps, barrier 0 for itself, no
// setmaxnreg, a register count only where the role says one, and shared memory only where something asks for it.
// RUN: tawa-opt %s --split-input-file --tawa-specialize-arguments --tawa-lower-aref --canonicalize --cse | FileCheck %s

#v = #tawa.linear<[256], register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [[128]]>

// CHECK-LABEL: func.func @add
// CHECK-SAME: (%[[X:[a-z0-9]+]]: !llvm.ptr<1> {{.*}}, %[[Y:[a-z0-9]+]]: !llvm.ptr<1> {{.*}}, %[[N:[a-z0-9]+]]: i32 {{.*}})
// CHECK-NOT: sm90.entry_registers
// CHECK-SAME: sm90.shared_bytes = 0 : i32, sm90.threads = 64 : i32
tt.func public @add(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {
  // CHECK-NOT: sm90.barrier_sync
  // CHECK-NOT: sm90.set_max_registers
  tawa.warp_group main warps(2) registers(0) {
    %pid = tt.get_program_id x : i32
    %c256 = arith.constant 256 : i32
    %first = arith.muli %pid, %c256 : i32
    %firsts = tt.splat %first : i32 -> tensor<256xi32, #v>
    %range = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #v>
    // Lanes and warps are moved by the same distance: one shift of the thread's number.
    // CHECK: %[[THREAD:.*]] = sm90.special_register tid_x
    // What the launch ahead wrote is waited for before anything is read.
    // CHECK: sm90.grid_dependency_wait
    // CHECK: %[[PID:.*]] = sm90.special_register ctaid_x
    // CHECK: %[[FIRST:.*]] = arith.muli %[[PID]], %c256_i32
    // CHECK: %[[OWN:.*]] = arith.shli %[[THREAD]], %c2_i32
    // CHECK: %[[I:.*]] = arith.addi %[[FIRST]], %[[OWN]]
    %i = arith.addi %firsts, %range : tensor<256xi32, #v>
    %ns = tt.splat %n : i32 -> tensor<256xi32, #v>
    // CHECK: %[[IN:.*]] = arith.cmpi slt, %[[I]], %[[N]]
    %in = arith.cmpi slt, %i, %ns : tensor<256xi32, #v>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #v>
    // CHECK: %[[P:.*]] = llvm.getelementptr %[[X]][%[[I]]] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %p = tt.addptr %xs, %i : tensor<256x!tt.ptr<f32>, #v>, tensor<256xi32, #v>
    // One access of 16 bytes under one predicate.
    // CHECK: %[[L:.*]]:4 = sm90.load_global %[[P]] if %[[IN]] priority evict_first : f32, f32, f32, f32
    %a = tt.load %p, %in evictionPolicy = evict_first {tawa.vector = 4 : i32} : tensor<256x!tt.ptr<f32>, #v>
    // CHECK: %[[S0:.*]] = arith.addf %[[L]]#0, %[[L]]#0
    %b = arith.addf %a, %a : tensor<256xf32, #v>
    %ys = tt.splat %y : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #v>
    %q = tt.addptr %ys, %i : tensor<256x!tt.ptr<f32>, #v>, tensor<256xi32, #v>
    // CHECK: sm90.store_global %{{.*}}, %[[S0]], %{{.*}}, %{{.*}}, %{{.*}} if %[[IN]] : f32, f32, f32, f32
    tt.store %q, %b, %in {tawa.vector = 4 : i32} : tensor<256x!tt.ptr<f32>, #v>
  }
  tt.return
}

// -----

// One warp of a role waits for itself with warp_sync; more use barrier 0.
// CHECK-LABEL: func.func @barriers
// CHECK-SAME: sm90.entry_registers = 64 : i32, sm90.kernel
tt.func public @barriers() {
  // CHECK-NOT: sm90.set_max_registers
  tawa.warp_group main warps(16) registers(64) {
    // CHECK: sm90.barrier_sync 0, 512
    tt.debug_barrier
  }
  tt.return
}

// -----

// CHECK-LABEL: func.func @one_warp
// CHECK-NOT: sm90.shuffle
tt.func public @one_warp() {
  tawa.warp_group main warps(1) registers(0) {
    // CHECK: sm90.warp_sync
    tt.debug_barrier
  }
  tt.return
}
