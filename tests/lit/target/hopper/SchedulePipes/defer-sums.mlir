// A sum over lanes that a loop accumulates is formed after it, where the factor is the same in all lanes.
// RUN: tawa-opt %s --tawa-defer-sums | FileCheck %s
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-defer-sums -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-defer-sums{{$}}
// COUNTS: {{^ *}}2 num-deferred:
// COUNTS: {{^ *}}2 num-kept:
// COUNTS-NEXT: 1 is not itself times a factor plus something else, in f32 and for this alone
// COUNTS-NEXT: 1 its factor may differ between the lanes

// CHECK-LABEL: func.func @softmax_sum
// CHECK: [[QUARTER:%.*]] = arith.constant 2.500000e-01 : f32
// CHECK: [[INIT:%.*]] = arith.mulf %{{.*}}, [[QUARTER]] : f32
// CHECK: [[LOOP:%.*]]:2 = scf.for {{.*}} iter_args([[L:%.*]] = [[INIT]], %{{.*}} = %{{.*}})
// What was there comes first, in the first of two chains.
// CHECK:   [[SCALED:%.*]] = arith.mulf [[L]], %{{.*}} : f32
// CHECK:   [[A:%.*]] = arith.addf [[SCALED]], %arg2
// CHECK:   [[C:%.*]] = arith.addf [[A]], %arg4
// CHECK:   [[B:%.*]] = arith.addf %arg3, %arg5
// CHECK:   [[T:%.*]] = arith.addf [[C]], [[B]]
// CHECK:   scf.yield [[T]]
// CHECK: [[S1:%.*]] = sm90.shuffle bfly [[LOOP]]#0, %c1_i32
// CHECK: [[P1:%.*]] = arith.addf [[LOOP]]#0, [[S1]] : f32
// CHECK: [[S2:%.*]] = sm90.shuffle bfly [[P1]], %c2_i32
// CHECK: [[P2:%.*]] = arith.addf [[P1]], [[S2]] : f32
// CHECK: sm90.store_global %arg0, [[P2]]
func.func @softmax_sum(%p: !llvm.ptr<1>, %n: i32, %a: f32, %b: f32, %c: f32, %d: f32, %l0: f32, %m0: f32)
    attributes {sm90.kernel, sm90.threads = 128 : i32, sm90.shared_bytes = 0 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %lane = sm90.special_register laneid : i32
  %x = arith.sitofp %lane : i32 to f32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%l = %l0, %m = %m0) -> (f32, f32) : i32 {
    // The same in four lanes: a maximum over them, and what the loop carries of it.
    %x1 = sm90.shuffle bfly %x, %c1 : f32
    %y = arith.maxnumf %x, %x1 : f32
    %y2 = sm90.shuffle bfly %y, %c2 : f32
    %z = arith.maxnumf %y, %y2 : f32
    %new = arith.maxnumf %m, %z : f32
    %difference = arith.subf %m, %new fastmath<contract> : f32
    %factor = sm90.approx ex2 %difference {ftz} : f32
    %ab = arith.addf %a, %b fastmath<contract> : f32
    %cd = arith.addf %c, %d fastmath<contract> : f32
    %s = arith.addf %ab, %cd fastmath<contract> : f32
    %s1 = sm90.shuffle bfly %s, %c1 : f32
    %t = arith.addf %s, %s1 : f32
    %t2 = sm90.shuffle bfly %t, %c2 : f32
    %u = arith.addf %t, %t2 : f32
    %scaled = arith.mulf %l, %factor fastmath<contract> : f32
    %next = arith.addf %scaled, %u fastmath<contract> : f32
    scf.yield %next, %new : f32, f32
  }
  sm90.store_global %p, %r#0 : f32
  return
}

// A factor of each lane's own does not distribute.
// CHECK-LABEL: func.func @own_factor
// CHECK: scf.for
// CHECK: sm90.shuffle bfly
// CHECK: scf.yield
// CHECK-NOT: sm90.shuffle
func.func @own_factor(%p: !llvm.ptr<1>, %n: i32, %a: f32, %l0: f32)
    attributes {sm90.kernel, sm90.threads = 128 : i32, sm90.shared_bytes = 0 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %lane = sm90.special_register laneid : i32
  %factor = arith.sitofp %lane : i32 to f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%l = %l0) -> (f32) : i32 {
    %s1 = sm90.shuffle bfly %a, %c1 : f32
    %t = arith.addf %a, %s1 : f32
    %scaled = arith.mulf %l, %factor fastmath<contract> : f32
    %next = arith.addf %scaled, %t fastmath<contract> : f32
    scf.yield %next : f32
  }
  sm90.store_global %p, %r : f32
  return
}

// A factor that lanes read of shared memory is the same in those whose addresses are: here the lane's two lowest bits do not count, and
// the warp's number comes from one lane.
// CHECK-LABEL: func.func @factor_of_warps
// CHECK: scf.for
// CHECK-NOT: sm90.shuffle bfly
// CHECK: scf.yield
// CHECK: sm90.shuffle bfly
func.func @factor_of_warps(%p: !llvm.ptr<1>, %n: i32, %s: f32, %l0: f32)
    attributes {sm90.kernel, sm90.threads = 128 : i32, sm90.shared_bytes = 512 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c5 = arith.constant 5 : i32
  %c28 = arith.constant 28 : i32
  %base = sm90.shared_base : i32
  %tid = sm90.special_register tid_x : i32
  %lane = sm90.special_register laneid : i32
  %first = arith.shrui %tid, %c5 : i32
  %warp = sm90.shuffle idx %first, %c0 : i32
  %row = arith.andi %lane, %c28 : i32
  %offset = arith.muli %warp, %c4 : i32
  %place = arith.addi %base, %offset : i32
  %address = arith.addi %place, %row : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%l = %l0) -> (f32) : i32 {
    %factor = sm90.load_shared %address : f32
    %s1 = sm90.shuffle bfly %s, %c1 : f32
    %t = arith.addf %s, %s1 : f32
    %scaled = arith.mulf %l, %factor fastmath<contract> : f32
    %next = arith.addf %scaled, %t fastmath<contract> : f32
    scf.yield %next : f32
  }
  sm90.store_global %p, %r : f32
  return
}
