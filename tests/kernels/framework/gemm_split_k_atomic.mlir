// Split along K over programs: partial tiles are added to memory atomically.
// run: grid=2,2,3 args=f16[10800] f16[10800] f32[3600]=0 i32:60 i32:60 i32:180
module {
  tt.func public @gemm_split_k_atomic(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32, %arg4: i32, %arg5: i32) attributes {noinline = false} {
    %c32_i32 = arith.constant 32 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<0.000000E+00> : tensor<32x32xf32>
    %cst_0 = arith.constant dense<0.000000E+00> : tensor<32x32xf16>
    %0 = tt.get_program_id x : i32
    %1 = tt.get_program_id y : i32
    %2 = tt.get_program_id z : i32
    %3 = arith.muli %0, %c32_i32 : i32
    %4 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %5 = tt.splat %3 : i32 -> tensor<32xi32>
    %6 = arith.addi %5, %4 : tensor<32xi32>
    %7 = arith.muli %1, %c32_i32 : i32
    %8 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %9 = tt.splat %7 : i32 -> tensor<32xi32>
    %10 = arith.addi %9, %8 : tensor<32xi32>
    %11 = tt.expand_dims %6 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %12 = tt.splat %arg3 : i32 -> tensor<32x1xi32>
    %13 = arith.cmpi slt, %11, %12 : tensor<32x1xi32>
    %14 = tt.expand_dims %10 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %15 = tt.splat %arg4 : i32 -> tensor<1x32xi32>
    %16 = arith.cmpi slt, %14, %15 : tensor<1x32xi32>
    %17 = arith.muli %2, %c32_i32 : i32
    %18 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %19 = tt.splat %17 : i32 -> tensor<32xi32>
    %20 = arith.addi %19, %18 : tensor<32xi32>
    %21 = tt.get_num_programs z : i32
    %22 = arith.muli %21, %c32_i32 : i32
    %23 = tt.expand_dims %6 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %24 = tt.splat %arg5 : i32 -> tensor<32x1xi32>
    %25 = arith.muli %23, %24 : tensor<32x1xi32>
    %26 = tt.expand_dims %20 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %27 = tt.broadcast %25 : tensor<32x1xi32> -> tensor<32x32xi32>
    %28 = tt.broadcast %26 : tensor<1x32xi32> -> tensor<32x32xi32>
    %29 = arith.addi %27, %28 : tensor<32x32xi32>
    %30 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>>
    %31 = tt.addptr %30, %29 : tensor<32x32x!tt.ptr<f16>>, tensor<32x32xi32>
    %32 = tt.expand_dims %20 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %33 = tt.splat %arg4 : i32 -> tensor<32x1xi32>
    %34 = arith.muli %32, %33 : tensor<32x1xi32>
    %35 = tt.expand_dims %10 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %36 = tt.broadcast %34 : tensor<32x1xi32> -> tensor<32x32xi32>
    %37 = tt.broadcast %35 : tensor<1x32xi32> -> tensor<32x32xi32>
    %38 = arith.addi %36, %37 : tensor<32x32xi32>
    %39 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>>
    %40 = tt.addptr %39, %38 : tensor<32x32x!tt.ptr<f16>>, tensor<32x32xi32>
    %45:3 = scf.for %41 = %c0_i32 to %arg5 step %22 iter_args(%42 = %cst, %43 = %31, %44 = %40) -> (tensor<32x32xf32>, tensor<32x32x!tt.ptr<f16>>, tensor<32x32x!tt.ptr<f16>>)  : i32 {
      %46 = arith.subi %arg5, %41 : i32
      %47 = tt.expand_dims %20 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %48 = tt.splat %46 : i32 -> tensor<1x32xi32>
      %49 = arith.cmpi slt, %47, %48 : tensor<1x32xi32>
      %50 = tt.broadcast %49 : tensor<1x32xi1> -> tensor<32x32xi1>
      %51 = tt.broadcast %13 : tensor<32x1xi1> -> tensor<32x32xi1>
      %52 = arith.andi %50, %51 : tensor<32x32xi1>
      %53 = tt.expand_dims %20 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %54 = tt.splat %46 : i32 -> tensor<32x1xi32>
      %55 = arith.cmpi slt, %53, %54 : tensor<32x1xi32>
      %56 = tt.broadcast %55 : tensor<32x1xi1> -> tensor<32x32xi1>
      %57 = tt.broadcast %16 : tensor<1x32xi1> -> tensor<32x32xi1>
      %58 = arith.andi %56, %57 : tensor<32x32xi1>
      %59 = tt.load %43, %52, %cst_0 : tensor<32x32x!tt.ptr<f16>>
      %60 = tt.load %44, %58, %cst_0 : tensor<32x32x!tt.ptr<f16>>
      %61 = tt.dot %59, %60, %42, inputPrecision = tf32 : tensor<32x32xf16> * tensor<32x32xf16> -> tensor<32x32xf32>
      %62 = tt.splat %22 : i32 -> tensor<32x32xi32>
      %63 = tt.addptr %43, %62 : tensor<32x32x!tt.ptr<f16>>, tensor<32x32xi32>
      %64 = arith.muli %22, %arg4 : i32
      %65 = tt.splat %64 : i32 -> tensor<32x32xi32>
      %66 = tt.addptr %44, %65 : tensor<32x32x!tt.ptr<f16>>, tensor<32x32xi32>
      scf.yield %61, %63, %66 : tensor<32x32xf32>, tensor<32x32x!tt.ptr<f16>>, tensor<32x32x!tt.ptr<f16>>
    }
    %67 = tt.broadcast %13 : tensor<32x1xi1> -> tensor<32x32xi1>
    %68 = tt.broadcast %16 : tensor<1x32xi1> -> tensor<32x32xi1>
    %69 = arith.andi %67, %68 : tensor<32x32xi1>
    %70 = tt.expand_dims %6 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %71 = tt.splat %arg4 : i32 -> tensor<32x1xi32>
    %72 = arith.muli %70, %71 : tensor<32x1xi32>
    %73 = tt.expand_dims %10 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %74 = tt.broadcast %72 : tensor<32x1xi32> -> tensor<32x32xi32>
    %75 = tt.broadcast %73 : tensor<1x32xi32> -> tensor<32x32xi32>
    %76 = arith.addi %74, %75 : tensor<32x32xi32>
    %77 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>>
    %78 = tt.addptr %77, %76 : tensor<32x32x!tt.ptr<f32>>, tensor<32x32xi32>
    %79 = tt.atomic_rmw fadd, relaxed, gpu, %78, %45#0, %69 : (tensor<32x32x!tt.ptr<f32>>, tensor<32x32xf32>, tensor<32x32xi1>) -> tensor<32x32xf32>
    tt.return
  }
}
