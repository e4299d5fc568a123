// A lock taken with compare and swap in a while loop around a read and a write, given back by an exchange. The order of
// programs is open: whole numbers have one sum.
// run: grid=6,1,1 args=i32[1]=0 f32[64]=0 f32[384]=1,-2,3,5,-7,11,13
module {
  tt.func public @misc_spin_lock(%lock_ptr: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %out_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %in_ptr0: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c64_i32 = arith.constant 64 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %true = arith.constant true
    %pid = tt.get_program_id x : i32
    %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %tmp = arith.muli %pid, %c64_i32 : i32
    %tmp_0 = tt.splat %tmp : i32 -> tensor<64xi32>
    %tmp_1 = arith.addi %tmp_0, %range : tensor<64xi32>
    %in = tt.splat %in_ptr0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %tmp_2 = tt.addptr %in, %tmp_1 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %tmp_3 = tt.load %tmp_2 : tensor<64x!tt.ptr<f32>>
    %tmp_4 = tt.atomic_cas acq_rel, gpu, %lock_ptr, %c0_i32, %c1_i32 : (!tt.ptr<i32>, i32, i32) -> i32
    %while = scf.while (%held = %tmp_4) : (i32) -> i32 {
      %tmp_5 = arith.cmpi eq, %held, %c1_i32 : i32
      scf.condition(%tmp_5) %held : i32
    } do {
    ^bb0(%held_0: i32):
      %tmp_6 = tt.atomic_cas acq_rel, gpu, %lock_ptr, %c0_i32, %c1_i32 : (!tt.ptr<i32>, i32, i32) -> i32
      scf.yield %tmp_6 : i32
    }
    %out = tt.splat %out_ptr : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %tmp_7 = tt.addptr %out, %range : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %tmp_8 = tt.load %tmp_7 {isVolatile = true} : tensor<64x!tt.ptr<f32>>
    %tmp_9 = arith.addf %tmp_8, %tmp_3 : tensor<64xf32>
    tt.store %tmp_7, %tmp_9 : tensor<64x!tt.ptr<f32>>
    gpu.barrier
    %tmp_10 = tt.atomic_rmw exch, acq_rel, gpu, %lock_ptr, %c0_i32, %true : (!tt.ptr<i32>, i32, i1) -> i32
    tt.return
  }
}
