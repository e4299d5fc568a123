// Early returns of the kernel and of a function it calls: branches between blocks, values merged by block arguments.
// run: grid=8,1,1 args=i32[8]=-3..7 f32[512] f32[512]=0 i32:6
module {
  tt.func public @early_return(%len_ptr: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %x_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %y_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %limit: i32) attributes {noinline = false} {
    %pid = tt.get_program_id x : i32
    %0 = arith.cmpi sge, %pid, %limit : i32
    cf.cond_br %0, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    tt.return
  ^bb2:  // pred: ^bb0
    %1 = tt.addptr %len_ptr, %pid : !tt.ptr<i32>, i32
    %len = tt.load %1 : !tt.ptr<i32>
    %c0_i32 = arith.constant 0 : i32
    %2 = arith.cmpi sle, %len, %c0_i32 : i32
    cf.cond_br %2, ^bb3, ^bb4
  ^bb3:  // pred: ^bb2
    tt.return
  ^bb4:  // pred: ^bb2
    %c64_i32 = arith.constant 64 : i32
    %3 = arith.muli %pid, %c64_i32 : i32
    %4 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %5 = tt.splat %3 : i32 -> tensor<64xi32>
    %6 = arith.addi %5, %4 : tensor<64xi32>
    %7 = tt.splat %x_ptr : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %8 = tt.addptr %7, %6 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %9 = tt.load %8 : tensor<64x!tt.ptr<f32>>
    %10 = tt.call @scale_of(%len) : (i32) -> f32
    %11 = tt.splat %10 : f32 -> tensor<64xf32>
    %12 = arith.mulf %9, %11 : tensor<64xf32>
    %13 = tt.splat %y_ptr : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %14 = tt.addptr %13, %6 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    tt.store %14, %12 : tensor<64x!tt.ptr<f32>>
    tt.return
  }
  tt.func private @scale_of(%len: i32) -> f32 attributes {noinline = true} {
    %c4_i32 = arith.constant 4 : i32
    %c2_i32 = arith.constant 2 : i32
    %cst = arith.constant 1.000000e+00 : f32
    %cst_0 = arith.constant 5.000000e-01 : f32
    %0 = arith.cmpi sgt, %len, %c4_i32 : i32
    cf.cond_br %0, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    tt.return %cst : f32
  ^bb2:  // pred: ^bb0
    %1 = arith.cmpi sgt, %len, %c2_i32 : i32
    cf.cond_br %1, ^bb3, ^bb4(%cst_0 : f32)
  ^bb3:  // pred: ^bb2
    %2 = arith.sitofp %len : i32 to f32
    cf.br ^bb4(%2 : f32)
  ^bb4(%3: f32):  // 2 preds: ^bb2, ^bb3
    tt.return %3 : f32
  }
}
