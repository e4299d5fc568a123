// Parts of sums that CTAs share. Every other run leaves out or changes one line.
//
// RUN: tawa-opt %s --tawa-prove-machine | FileCheck %s
// CHECK: module attributes {tawa.proved = {{[0-9]+}} : i32}
//
// RUN: grep -v 'all have stored' %s | tawa-opt --tawa-prove-machine 2>&1 | FileCheck %s --check-prefix=STORED
// STORED: a part is counted that other threads of the role may still store
//
// RUN: grep -v 'all know' %s | tawa-opt --tawa-prove-machine 2>&1 | FileCheck %s --check-prefix=KNOWN
// KNOWN: a part is read by threads that do not know it to be stored
//
// RUN: sed 's/add acq_rel gpu/add acquire gpu/' %s | tawa-opt --tawa-prove-machine 2>&1 | FileCheck %s --check-prefix=RELEASE
// RELEASE: a part is counted without a release of what was stored
//
// RUN: sed 's/add acq_rel gpu/add release gpu/' %s | tawa-opt --tawa-prove-machine 2>&1 | FileCheck %s --check-prefix=ACQUIRE
// ACQUIRE: a count of parts does not acquire what other CTAs have stored
//
// RUN: sed 's/add acq_rel gpu/add acq_rel cta/' %s | tawa-opt --tawa-prove-machine 2>&1 | FileCheck %s --check-prefix=SCOPE
// SCOPE: a count of parts does not acquire what other CTAs have stored
//
// A count that is only asked for publishes nothing.
// RUN: sed 's/add acq_rel gpu %%p, %%c1/add acquire gpu %%p, %%c0/' %s | tawa-opt --tawa-prove-machine | FileCheck %s
module {
  func.func @parts(%p: !llvm.ptr<1> {tawa.argument = #tawa.part<workspace, index = 0, dimension = 0>}, %x: f32, %parts: i32)
      attributes {sm90.kernel, sm90.threads = 96 : i32, sm90.shared_bytes = 0 : i32, sm90.workspace_bytes = 1024 : i32, tawa.stream, sm90.cluster = array<i32: 1, 1, 1>, sm90.entry_registers = 128 : i32} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c5 = arith.constant 5 : i32
    %c32 = arith.constant 32 : i32
    %tid = sm90.special_register tid_x : i32
    %warp = arith.shrui %tid, %c5 : i32
    %isFirst = arith.cmpi ult, %warp, %c1 : i32
    scf.if %isFirst {
      sm90.warp_sync
    } else {
      %acts = arith.cmpi eq, %tid, %c32 : i32
      %own = arith.extui %tid : i32 to i64
      %mine = llvm.getelementptr %p[%own] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      %shared = arith.cmpi ne, %parts, %c1 : i32
      scf.if %shared {
        sm90.store_global %mine, %x : f32
        sm90.barrier_sync 2, 64 // all have stored
        sm90.atomic_rmw add acq_rel gpu %p, %c1 if %acts : !llvm.ptr<1>, i32
        sm90.barrier_sync 2, 64 // all know
      }
      %other = sm90.load_global %mine : f32
    }
    return
  }
}
