// A helper with a loop, called from inside of a loop and of a branch, giving two values back; one function is never
// called. `ub.poison` stands where a loop variable has no value yet.
// run: grid=2,1,1 args=f32[512] f32[256] i32:3
module {
  tt.func private @unused(%x: tensor<128xf32>) -> tensor<128xf32> attributes {noinline = false} {
    tt.return %x : tensor<128xf32>
  }
  tt.func private @step(%x: tensor<128xf32>, %n: i32) -> (tensor<128xf32>, f32) attributes {noinline = false} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %half = arith.constant dense<5.000000e-01> : tensor<128xf32>
    %0 = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x) -> (tensor<128xf32>)  : i32 {
      %2 = arith.mulf %v, %half : tensor<128xf32>
      %3 = arith.addf %2, %x : tensor<128xf32>
      scf.yield %3 : tensor<128xf32>
    }
    %1 = tt.call @largest(%0) : (tensor<128xf32>) -> f32
    tt.return %0, %1 : tensor<128xf32>, f32
  }
  tt.func private @largest(%x: tensor<128xf32>) -> f32 attributes {noinline = false} {
    %0 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %1 = arith.maxnumf %a, %b : f32
      tt.reduce.return %1 : f32
    }) : (tensor<128xf32>) -> f32
    tt.return %0 : f32
  }
  tt.func public @nested_calls(%x_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %y_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) attributes {noinline = false} {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c2_i32 = arith.constant 2 : i32
    %c128_i32 = arith.constant 128 : i32
    %zero = arith.constant dense<0.000000e+00> : tensor<128xf32>
    %none = ub.poison : f32
    %pid = tt.get_program_id x : i32
    %lane = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %0:2 = scf.for %i = %c0_i32 to %c2_i32 step %c1_i32 iter_args(%acc = %zero, %last = %none) -> (tensor<128xf32>, f32)  : i32 {
      %5 = arith.muli %pid, %c2_i32 : i32
      %6 = arith.addi %5, %i : i32
      %7 = arith.muli %6, %c128_i32 : i32
      %8 = tt.splat %7 : i32 -> tensor<128xi32>
      %9 = arith.addi %8, %lane : tensor<128xi32>
      %10 = tt.splat %x_ptr : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
      %11 = tt.addptr %10, %9 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
      %12 = tt.load %11 : tensor<128x!tt.ptr<f32>>
      %13 = arith.cmpi eq, %i, %c0_i32 : i32
      %14:2 = scf.if %13 -> (tensor<128xf32>, f32) {
        %16:2 = tt.call @step(%12, %n) : (tensor<128xf32>, i32) -> (tensor<128xf32>, f32)
        scf.yield %16#0, %16#1 : tensor<128xf32>, f32
      } else {
        %16 = tt.call @largest(%12) : (tensor<128xf32>) -> f32
        scf.yield %12, %16 : tensor<128xf32>, f32
      }
      %15 = arith.addf %acc, %14#0 : tensor<128xf32>
      scf.yield %15, %14#1 : tensor<128xf32>, f32
    }
    %1 = tt.splat %0#1 : f32 -> tensor<128xf32>
    %2 = arith.subf %0#0, %1 : tensor<128xf32>
    %3 = arith.muli %pid, %c128_i32 : i32
    %4 = tt.addptr %y_ptr, %3 : !tt.ptr<f32>, i32
    %17 = tt.splat %4 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %18 = tt.addptr %17, %lane : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    tt.store %18, %2 : tensor<128x!tt.ptr<f32>>
    tt.return
  }
}
