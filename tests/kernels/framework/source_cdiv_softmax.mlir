// Text from before the first passes: helpers of the library and of the user are called, constants stand where they are
// used, names are quoted.
// run: grid=5,1,1 args=f32[500] f32[500]=0 i32:100 i32:5
#loc = loc(unknown)
module {
  tt.func public @softmax_kernel(%x_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32} loc("x_ptr"(#loc)), %y_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32} loc("y_ptr"(#loc)), %n_cols: i32 loc("n_cols"(#loc)), %n_rows: i32 loc("n_rows"(#loc))) attributes {noinline = false} {
    %0 = tt.get_program_id x : i32 loc(#loc)
    %1 = tt.call @"triton.language.standard.cdiv__i32__(1,)cconstexpr_32_"(%n_cols) : (i32) -> i32 loc(#loc)
    %c32_i32 = arith.constant 32 : i32 loc(#loc)
    %2 = arith.muli %1, %c32_i32 : i32 loc(#loc)
    %3 = tt.call @"__main__.row_start__i32_i32"(%0, %n_cols) : (i32, i32) -> i32 loc(#loc)
    %4 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32> loc(#loc)
    %5 = tt.splat %n_cols : i32 -> tensor<128xi32> loc(#loc)
    %6 = arith.cmpi slt, %4, %5 : tensor<128xi32> loc(#loc)
    %7 = tt.splat %2 : i32 -> tensor<128xi32> loc(#loc)
    %8 = arith.cmpi slt, %4, %7 : tensor<128xi32> loc(#loc)
    %9 = arith.andi %6, %8 : tensor<128xi1> loc(#loc)
    %10 = tt.addptr %x_ptr, %3 : !tt.ptr<f32>, i32 loc(#loc)
    %11 = tt.splat %10 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>> loc(#loc)
    %12 = tt.addptr %11, %4 : tensor<128x!tt.ptr<f32>>, tensor<128xi32> loc(#loc)
    %cst = arith.constant 0xFF800000 : f32 loc(#loc)
    %13 = tt.splat %cst : f32 -> tensor<128xf32> loc(#loc)
    %14 = tt.load %12, %9, %13 : tensor<128x!tt.ptr<f32>> loc(#loc)
    %15 = tt.call @"triton.language.standard.softmax__fp32S128S"(%14) : (tensor<128xf32>) -> tensor<128xf32> loc(#loc)
    %16 = tt.addptr %y_ptr, %3 : !tt.ptr<f32>, i32 loc(#loc)
    %17 = tt.splat %16 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>> loc(#loc)
    %18 = tt.addptr %17, %4 : tensor<128x!tt.ptr<f32>>, tensor<128xi32> loc(#loc)
    tt.store %18, %15, %9 : tensor<128x!tt.ptr<f32>> loc(#loc)
    tt.return loc(#loc)
  } loc(#loc)
  tt.func private @"triton.language.standard.cdiv__i32__(1,)cconstexpr_32_"(%x: i32 loc("x"(#loc))) -> i32 attributes {noinline = false} {
    %c32_i32 = arith.constant 32 : i32 loc(#loc)
    %c1_i32 = arith.constant 1 : i32 loc(#loc)
    %0 = arith.addi %x, %c32_i32 : i32 loc(#loc)
    %1 = arith.subi %0, %c1_i32 : i32 loc(#loc)
    %2 = arith.divsi %1, %c32_i32 : i32 loc(#loc)
    tt.return %2 : i32 loc(#loc)
  ^bb1:  // no predecessors
    %3 = ub.poison : i32 loc(#loc)
    tt.return %3 : i32 loc(#loc)
  } loc(#loc)
  tt.func private @"__main__.row_start__i32_i32"(%row: i32 loc("row"(#loc)), %width: i32 loc("width"(#loc))) -> i32 attributes {noinline = false} {
    %0 = arith.muli %row, %width : i32 loc(#loc)
    tt.return %0 : i32 loc(#loc)
  } loc(#loc)
  tt.func private @"triton.language.standard.softmax__fp32S128S"(%x: tensor<128xf32> loc("x"(#loc))) -> tensor<128xf32> attributes {noinline = false} {
    %0 = tt.call @"triton.language.standard.max__fp32S128S"(%x) : (tensor<128xf32>) -> f32 loc(#loc)
    %1 = tt.splat %0 : f32 -> tensor<128xf32> loc(#loc)
    %2 = arith.subf %x, %1 : tensor<128xf32> loc(#loc)
    %3 = math.exp %2 : tensor<128xf32> loc(#loc)
    %4 = "tt.reduce"(%3) <{axis = 0 : i32}> ({
    ^bb0(%a: f32 loc(unknown), %b: f32 loc(unknown)):
      %7 = tt.call @"triton.language.standard._sum_combine__fp32_fp32__"(%a, %b) : (f32, f32) -> f32 loc(#loc)
      tt.reduce.return %7 : f32 loc(#loc)
    }) : (tensor<128xf32>) -> f32 loc(#loc)
    %5 = tt.splat %4 : f32 -> tensor<128xf32> loc(#loc)
    %6 = arith.divf %3, %5 : tensor<128xf32> loc(#loc)
    tt.return %6 : tensor<128xf32> loc(#loc)
  } loc(#loc)
  tt.func private @"triton.language.standard.max__fp32S128S"(%x: tensor<128xf32> loc("x"(#loc))) -> f32 attributes {noinline = false} {
    %0 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32 loc(unknown), %b: f32 loc(unknown)):
      %1 = tt.call @"triton.language.standard._elementwise_max__fp32_fp32__"(%a, %b) : (f32, f32) -> f32 loc(#loc)
      tt.reduce.return %1 : f32 loc(#loc)
    }) : (tensor<128xf32>) -> f32 loc(#loc)
    tt.return %0 : f32 loc(#loc)
  } loc(#loc)
  tt.func private @"triton.language.standard._elementwise_max__fp32_fp32__"(%a: f32 loc("a"(#loc)), %b: f32 loc("b"(#loc))) -> f32 attributes {noinline = false} {
    %0 = arith.maxnumf %a, %b : f32 loc(#loc)
    tt.return %0 : f32 loc(#loc)
  } loc(#loc)
  tt.func private @"triton.language.standard._sum_combine__fp32_fp32__"(%a: f32 loc("a"(#loc)), %b: f32 loc("b"(#loc))) -> f32 attributes {noinline = false} {
    %0 = arith.addf %a, %b : f32 loc(#loc)
    tt.return %0 : f32 loc(#loc)
  } loc(#loc)
} loc(#loc)
