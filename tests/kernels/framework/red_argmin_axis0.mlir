// Position of the minimum along the outer axis of a tile of integers.
// run: grid=1,1,1 args=i32[2048]=-9..10 i32[32]=0 i32[32]=0
module {
  tt.func public @red_argmin_axis0(%arg0: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<i32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<32> : tensor<64x1xi32>
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %2 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %3 = tt.expand_dims %2 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %4 = arith.muli %1, %cst : tensor<64x1xi32>
    %5 = tt.broadcast %4 : tensor<64x1xi32> -> tensor<64x32xi32>
    %6 = tt.broadcast %3 : tensor<1x32xi32> -> tensor<64x32xi32>
    %7 = arith.addi %5, %6 : tensor<64x32xi32>
    %8 = tt.splat %arg0 : !tt.ptr<i32> -> tensor<64x32x!tt.ptr<i32>>
    %9 = tt.addptr %8, %7 : tensor<64x32x!tt.ptr<i32>>, tensor<64x32xi32>
    %10 = tt.load %9 : tensor<64x32x!tt.ptr<i32>>
    %11 = tt.broadcast %1 : tensor<64x1xi32> -> tensor<64x32xi32>
    %12:2 = "tt.reduce"(%10, %11) <{axis = 0 : i32}> ({
    ^bb0(%13: i32, %14: i32, %15: i32, %16: i32):
      %17 = arith.cmpi slt, %13, %15 : i32
      %18 = arith.cmpi eq, %13, %15 : i32
      %19 = arith.cmpi slt, %14, %16 : i32
      %20 = arith.andi %18, %19 : i1
      %21 = arith.ori %17, %20 : i1
      %22 = arith.select %21, %13, %15 : i32
      %23 = arith.select %21, %14, %16 : i32
      tt.reduce.return %22, %23 : i32, i32
    }) : (tensor<64x32xi32>, tensor<64x32xi32>) -> (tensor<32xi32>, tensor<32xi32>)
    %24 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %25 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>>
    %26 = tt.addptr %25, %24 : tensor<32x!tt.ptr<i32>>, tensor<32xi32>
    tt.store %26, %12#1 : tensor<32x!tt.ptr<i32>>
    %27 = tt.splat %arg2 : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>>
    %28 = tt.addptr %27, %24 : tensor<32x!tt.ptr<i32>>, tensor<32xi32>
    tt.store %28, %12#0 : tensor<32x!tt.ptr<i32>>
    tt.return
  }
}
