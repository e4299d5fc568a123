// Experts of a mixture, each with a block of rows of its own; rows are gathered by number. As one role, the result passes through the
// slots of the loop on its way to memory.
// run: grid=2,2,1 config="consumers=0 D=2" args=bf16[18432] bf16[147456] bf16[32768] i32[128]=0..95 i32[2]=0..2 i32:256 i32:192
module {
  tt.func public @moe_rows_gathered(%a: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %b: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %c: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %tokens: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %experts: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}, %k: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %c128_i32 = arith.constant 128 : i32
    %none = arith.constant dense<0.000000e+00> : tensor<64x128xf32>
    %pid = tt.get_program_id x : i32
    %first = arith.muli %pid, %c64_i32 : i32
    %rows = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %first_0 = tt.splat %first : i32 -> tensor<64xi32>
    %slot = arith.addi %first_0, %rows : tensor<64xi32>
    %pid_1 = tt.get_program_id y : i32
    %column = arith.muli %pid_1, %c128_i32 : i32
    %columns = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %column_0 = tt.splat %column : i32 -> tensor<128xi32>
    %column_1 = arith.addi %column_0, %columns : tensor<128xi32>
    %tokens_0 = tt.splat %tokens : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %tokens_1 = tt.addptr %tokens_0, %slot : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %token = tt.load %tokens_1 : tensor<64x!tt.ptr<i32>>
    %experts_0 = tt.addptr %experts, %pid : !tt.ptr<i32>, i32
    %expert = tt.load %experts_0 : !tt.ptr<i32>
    %expert_0 = arith.extsi %expert : i32 to i64
    %n_0 = arith.extsi %n : i32 to i64
    %of_expert = arith.muli %expert_0, %n_0 : i64
    %k_0 = arith.extsi %k : i32 to i64
    %of_expert_0 = arith.muli %of_expert, %k_0 : i64
    %weights = tt.addptr %b, %of_expert_0 : !tt.ptr<bf16>, i64
    %at = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %token_0 = tt.expand_dims %token {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %k_1 = tt.splat %k : i32 -> tensor<64x1xi32>
    %row = arith.muli %token_0, %k_1 : tensor<64x1xi32>
    %a_0 = tt.splat %a : !tt.ptr<bf16> -> tensor<64x1x!tt.ptr<bf16>>
    %a_1 = tt.addptr %a_0, %row : tensor<64x1x!tt.ptr<bf16>>, tensor<64x1xi32>
    %a_2 = tt.broadcast %a_1 : tensor<64x1x!tt.ptr<bf16>> -> tensor<64x64x!tt.ptr<bf16>>
    %column_2 = tt.expand_dims %column_1 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %k_2 = tt.splat %k : i32 -> tensor<1x128xi32>
    %row_0 = arith.muli %column_2, %k_2 : tensor<1x128xi32>
    %b_0 = tt.splat %weights : !tt.ptr<bf16> -> tensor<1x128x!tt.ptr<bf16>>
    %b_1 = tt.addptr %b_0, %row_0 : tensor<1x128x!tt.ptr<bf16>>, tensor<1x128xi32>
    %b_2 = tt.broadcast %b_1 : tensor<1x128x!tt.ptr<bf16>> -> tensor<64x128x!tt.ptr<bf16>>
    %total = scf.for %step = %c0_i32 to %k step %c64_i32 iter_args(%sum = %none) -> (tensor<64x128xf32>) : i32 {
      %step_0 = tt.splat %step : i32 -> tensor<64xi32>
      %here = arith.addi %step_0, %at : tensor<64xi32>
      %here_0 = tt.expand_dims %here {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %here_1 = tt.broadcast %here_0 : tensor<1x64xi32> -> tensor<64x64xi32>
      %left = tt.addptr %a_2, %here_1 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %left_0 = tt.load %left : tensor<64x64x!tt.ptr<bf16>>
      %here_2 = tt.expand_dims %here {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %here_3 = tt.broadcast %here_2 : tensor<64x1xi32> -> tensor<64x128xi32>
      %right = tt.addptr %b_2, %here_3 : tensor<64x128x!tt.ptr<bf16>>, tensor<64x128xi32>
      %right_0 = tt.load %right : tensor<64x128x!tt.ptr<bf16>>
      %next = tt.dot %left_0, %right_0, %sum, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x128xbf16> -> tensor<64x128xf32>
      scf.yield %next : tensor<64x128xf32>
    }
    %slot_0 = tt.expand_dims %slot {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %n_1 = tt.splat %n : i32 -> tensor<64x1xi32>
    %row_1 = arith.muli %slot_0, %n_1 : tensor<64x1xi32>
    %c_0 = tt.splat %c : !tt.ptr<bf16> -> tensor<64x1x!tt.ptr<bf16>>
    %c_1 = tt.addptr %c_0, %row_1 : tensor<64x1x!tt.ptr<bf16>>, tensor<64x1xi32>
    %c_2 = tt.broadcast %c_1 : tensor<64x1x!tt.ptr<bf16>> -> tensor<64x128x!tt.ptr<bf16>>
    %column_3 = tt.broadcast %column_2 : tensor<1x128xi32> -> tensor<64x128xi32>
    %c_3 = tt.addptr %c_2, %column_3 : tensor<64x128x!tt.ptr<bf16>>, tensor<64x128xi32>
    %narrow = arith.truncf %total : tensor<64x128xf32> to tensor<64x128xbf16>
    tt.store %c_3, %narrow : tensor<64x128x!tt.ptr<bf16>>
    tt.return
  }
}
