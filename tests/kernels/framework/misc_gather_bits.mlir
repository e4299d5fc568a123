// Truth values that are low bits of integers, exchanged between threads as bytes of words. Written for Tawa, after a random program of
// tests/conformance.
// run: grid=1 config="warps=8" args=i32[16384]=-100..100 i8[8192]
module {
  tt.func public @misc_gather_bits(%numbers: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %bits: !tt.ptr<i8> {tt.divisibility = 16 : i32}) {
    %row = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %rows = tt.expand_dims %row {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %length = arith.constant dense<128> : tensor<128x1xi32>
    %begin = arith.muli %rows, %length : tensor<128x1xi32>
    %column = tt.expand_dims %row {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %begins = tt.broadcast %begin : tensor<128x1xi32> -> tensor<128x128xi32>
    %columns = tt.broadcast %column : tensor<1x128xi32> -> tensor<128x128xi32>
    %place = arith.addi %begins, %columns : tensor<128x128xi32>
    %base = tt.splat %numbers : !tt.ptr<i32> -> tensor<128x128x!tt.ptr<i32>>
    %from = tt.addptr %base, %place : tensor<128x128x!tt.ptr<i32>>, tensor<128x128xi32>
    %number = tt.load %from : tensor<128x128x!tt.ptr<i32>>
    %odd = arith.trunci %number : tensor<128x128xi32> to tensor<128x128xi1>
    %half = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %halves = tt.expand_dims %half {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %two = arith.constant dense<2> : tensor<1x64xi32>
    %even = arith.muli %halves, %two : tensor<1x64xi32>
    %which = tt.broadcast %even : tensor<1x64xi32> -> tensor<128x64xi32>
    %taken = tt.gather %odd[%which] {axis = 1 : i32} : (tensor<128x128xi1>, tensor<128x64xi32>) -> tensor<128x64xi1>
    %byte = arith.extui %taken : tensor<128x64xi1> to tensor<128x64xi8>
    %width = arith.constant dense<64> : tensor<128x1xi32>
    %start = arith.muli %rows, %width : tensor<128x1xi32>
    %starts = tt.broadcast %start : tensor<128x1xi32> -> tensor<128x64xi32>
    %lane = tt.broadcast %halves : tensor<1x64xi32> -> tensor<128x64xi32>
    %at = arith.addi %starts, %lane : tensor<128x64xi32>
    %result = tt.splat %bits : !tt.ptr<i8> -> tensor<128x64x!tt.ptr<i8>>
    %to = tt.addptr %result, %at : tensor<128x64x!tt.ptr<i8>>, tensor<128x64xi32>
    tt.store %to, %byte : tensor<128x64x!tt.ptr<i8>>
    tt.return
  }
}
