// A producer hands numbers to a consumer through a ring of words. Every other run leaves out or changes one line.
//
// RUN: tawa-opt %s --tawa-prove-machine | FileCheck %s
// CHECK: module attributes {tawa.proved = {{[0-9]+}} : i32}
//
// RUN: sed 's/store_shared \(.*\), %%next/store_shared \1, %%asked/' %s | tawa-opt --tawa-prove-machine 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: not proved: deadlock
//
// RUN: sed 's/scf.yield %%given/scf.yield %%count/' %s | tawa-opt --tawa-prove-machine 2>&1 | FileCheck %s --check-prefix=USED
// USED: not proved: deadlock
//
// RUN: grep -v 'all lanes have read' %s | tawa-opt --tawa-prove-machine 2>&1 | FileCheck %s --check-prefix=READ
// READ: not proved: a lane gives back a slot of ring 0 that others of its warp may still read
//
// RUN: grep -v '// written' %s | tawa-opt --tawa-prove-machine 2>&1 | FileCheck %s --check-prefix=WRITTEN
// WRITTEN: not proved: no fence makes the threads' writes to a slot visible
//
// RUN: sed 's/add relaxed gpu/add relaxed cta/' %s | tawa-opt --tawa-prove-machine 2>&1 | FileCheck %s --check-prefix=SCOPE
// SCOPE: not proved: other CTAs do not see that this one asks for the next tile
module {
  func.func @numbers(%tiles: i32 {tawa.argument = #tawa.part<scalar, index = 0, dimension = 0>}, %workspace: !llvm.ptr<1> {tawa.argument = #tawa.part<workspace, index = 0, dimension = 0>}) attributes {sm90.cluster = array<i32: 1, 1, 1>, sm90.entry_registers = 255 : i32, sm90.kernel, sm90.product_warps = 0 : i32, sm90.shared_bytes = 40 : i32, sm90.threads = 64 : i32, sm90.workspace_bytes = 4 : i32} {
    %c4_i32 = arith.constant 4 : i32
    %c2_i32 = arith.constant 2 : i32
    %c4_i64 = arith.constant 4 : i64
    %c1_i32 = arith.constant 1 : i32
    %c24_i32 = arith.constant 24 : i32
    %c8_i32 = arith.constant 8 : i32
    %c16_i32 = arith.constant 16 : i32
    %c32_i32 = arith.constant 32 : i32
    %c0_i32 = arith.constant 0 : i32
    %c5_i32 = arith.constant 5 : i32
    %0 = sm90.shared_base : i32
    %1 = sm90.special_register tid_x : i32
    %2 = arith.shrui %1, %c5_i32 : i32
    %3 = sm90.special_register laneid : i32
    %4 = sm90.shuffle idx %2, %c0_i32 : i32
    %5 = arith.cmpi eq, %1, %c32_i32 : i32
    scf.if %5 {
      sm90.mbarrier_init %0, 1
      %7 = arith.addi %0, %c16_i32 : i32
      sm90.mbarrier_init %7, 1
      %8 = arith.addi %0, %c8_i32 : i32
      sm90.mbarrier_init %8, 1
      %9 = arith.addi %0, %c24_i32 : i32
      sm90.mbarrier_init %9, 1
      sm90.fence_mbarrier_init
    }
    sm90.grid_dependency_wait
    sm90.barrier_sync 0, 64
    %6 = arith.cmpi ult, %4, %c1_i32 : i32
    scf.if %6 {
      %7 = arith.cmpi eq, %4, %c0_i32 : i32
      scf.if %7 {
        %8 = sm90.elect_sync : i1
        scf.if %8 {
          %9 = sm90.special_register ctaid_x : i32
          %10 = sm90.special_register nctaid_x : i32
          %11 = scf.while (%arg2 = %9, %arg3 = %c0_i32) : (i32, i32) -> i32 {
            %12 = arith.cmpi slt, %arg2, %tiles : i32
            scf.condition(%12) %arg3 : i32
          } do {
          ^bb0(%arg2: i32):
            %12 = sm90.special_register ctaid_z : i32
            %13 = sm90.special_register nctaid_y : i32
            %14 = arith.muli %12, %13 : i32
            %15 = sm90.special_register ctaid_y : i32
            %16 = arith.addi %14, %15 : i32
            %17 = arith.muli %16, %10 : i32
            %18 = arith.extui %17 : i32 to i64
            %19 = arith.muli %18, %c4_i64 : i64
            %20 = llvm.getelementptr %workspace[%19] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
            %asked = sm90.atomic_rmw add relaxed gpu %20, %c1_i32 : !llvm.ptr<1>, i32 -> i32
            %22 = arith.subi %tiles, %c1_i32 : i32
            %23 = arith.cmpi eq, %asked, %22 : i32
            %24 = sm90.atomic_rmw exch relaxed gpu %20, %c0_i32 if %23 : !llvm.ptr<1>, i32 -> i32
            %next = arith.addi %10, %asked : i32
            %26 = arith.remui %arg2, %c2_i32 : i32
            %27 = arith.divui %arg2, %c2_i32 : i32
            %28 = arith.muli %26, %c4_i32 : i32
            %29 = arith.addi %0, %c32_i32 : i32
            %30 = arith.addi %29, %28 : i32
            %31 = arith.muli %26, %c8_i32 : i32
            %32 = arith.addi %0, %31 : i32
            %33 = arith.addi %0, %c16_i32 : i32
            %34 = arith.addi %33, %31 : i32
            %35 = arith.andi %27, %c1_i32 : i32
            %36 = arith.xori %35, %c1_i32 : i32
            sm90.mbarrier_wait_parity %34, %36
            sm90.store_shared %30, %next : i32
            sm90.fence_proxy_async // written
            sm90.mbarrier_arrive %32
            %37 = arith.addi %arg2, %c1_i32 : i32
            scf.yield %next, %37 : i32, i32
          }
        }
      }
    } else {
      %7 = arith.cmpi eq, %3, %c0_i32 : i32
      %8 = sm90.special_register ctaid_x : i32
      %9 = scf.while (%arg2 = %8, %arg3 = %c0_i32) : (i32, i32) -> i32 {
        %10 = arith.cmpi slt, %arg2, %tiles : i32
        scf.condition(%10) %arg3 : i32
      } do {
      ^bb0(%arg2: i32):
        %10 = arith.remui %arg2, %c2_i32 : i32
        %11 = arith.divui %arg2, %c2_i32 : i32
        %12 = arith.muli %10, %c4_i32 : i32
        %13 = arith.addi %0, %c32_i32 : i32
        %14 = arith.addi %13, %12 : i32
        %15 = arith.muli %10, %c8_i32 : i32
        %16 = arith.addi %0, %15 : i32
        %17 = arith.andi %11, %c1_i32 : i32
        sm90.mbarrier_wait_parity %16, %17
        %given = sm90.load_shared %14 : i32
        sm90.warp_sync // all lanes have read
        %19 = arith.addi %0, %c16_i32 : i32
        %20 = arith.addi %19, %15 : i32
        sm90.mbarrier_arrive %20 if %7
        %count = arith.addi %arg2, %c1_i32 : i32
        scf.yield %given, %count : i32, i32
      }
    }
    return
  }
}
