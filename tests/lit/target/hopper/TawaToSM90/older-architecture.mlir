// On a GPU without TMA, clusters and stmatrix: barriers are made without a fence towards the async proxy, no wait for an earlier launch,
// registers are stored one by one, and a copy over the end of a row reads as many bytes as there are.
// RUN: tawa-opt %S/../../../roles/partial-copies.mlir --tawa-pipeline-loads="ring-depth=2 mma-depth=1" --tawa-assign-layouts --tawa-lower-aref | FileCheck %s
// CHECK: sm90.mbarrier_init
// CHECK-NOT: sm90.fence_mbarrier_init
// CHECK-NOT: sm90.grid_dependency_wait
// CHECK: sm90.barrier_sync 0, 128
// CHECK: %[[BYTES:.*]] = arith.muli %{{.*}}, %c2_i32
// CHECK: %[[VALID:.*]] = arith.select %{{.*}}, %[[BYTES]], %c0_i32
// CHECK: sm90.cp_async %{{.*}}, %{{.*}}, 16 from %[[VALID]] cache cg
// CHECK: sm90.ldmatrix
// CHECK: sm90.mma
// CHECK-NOT: sm90.stmatrix
// CHECK: return
