// A scalar while loop with a branch in it; one number a program.
// run: grid=16,1,1 args=i32[16]=1..61 i32[16]
module {
  tt.func public @scf_while_collatz(%in_ptr0: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %out_ptr0: !tt.ptr<i32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c3_i32 = arith.constant 3 : i32
    %pid = tt.get_program_id x : i32
    %tmp = tt.addptr %in_ptr0, %pid : !tt.ptr<i32>, i32
    %tmp_0 = tt.load %tmp : !tt.ptr<i32>
    %while:2 = scf.while (%n = %tmp_0, %steps = %c0_i32) : (i32, i32) -> (i32, i32) {
      %tmp_1 = arith.cmpi sgt, %n, %c1_i32 : i32
      scf.condition(%tmp_1) %n, %steps : i32, i32
    } do {
    ^bb0(%n_0: i32, %steps_0: i32):
      %tmp_2 = arith.andi %n_0, %c1_i32 : i32
      %tmp_3 = arith.cmpi ne, %tmp_2, %c0_i32 : i32
      %if = scf.if %tmp_3 -> (i32) {
        %tmp_4 = arith.muli %n_0, %c3_i32 : i32
        %tmp_5 = arith.addi %tmp_4, %c1_i32 : i32
        scf.yield %tmp_5 : i32
      } else {
        %tmp_6 = arith.shrui %n_0, %c1_i32 : i32
        scf.yield %tmp_6 : i32
      }
      %tmp_7 = arith.addi %steps_0, %c1_i32 : i32
      scf.yield %if, %tmp_7 : i32, i32
    }
    %tmp_8 = tt.addptr %out_ptr0, %pid : !tt.ptr<i32>, i32
    tt.store %tmp_8, %while#1 : !tt.ptr<i32>
    tt.return
  }
}
