// Bitonic sort of 1024 integers: tiles of rank 10.
// run: grid=1,1,1 args=i32[1024]=-100000..100001 i32[1024]
module {
  tt.func public @sort_1024_rank10(%arg0: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0> : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %0 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
    %1 = tt.splat %arg0 : !tt.ptr<i32> -> tensor<1024x!tt.ptr<i32>>
    %2 = tt.addptr %1, %0 : tensor<1024x!tt.ptr<i32>>, tensor<1024xi32>
    %3 = tt.load %2 : tensor<1024x!tt.ptr<i32>>
    %4 = tt.reshape %3 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %5 = "tt.reduce"(%4) <{axis = 9 : i32}> ({
    ^bb0(%6: i32, %7: i32):
      %8 = arith.xori %6, %7 : i32
      tt.reduce.return %8 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %9 = tt.expand_dims %5 {axis = 9 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x1xi32>
    %10 = tt.broadcast %9 : tensor<2x2x2x2x2x2x2x2x2x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %11 = arith.xori %4, %10 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %12 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %13 = tt.reshape %12 : tensor<2xi32> -> tensor<1x1x1x1x1x1x1x1x1x2xi32>
    %14 = tt.broadcast %13 : tensor<1x1x1x1x1x1x1x1x1x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %15 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %16 = tt.reshape %15 : tensor<2xi32> -> tensor<1x1x1x1x1x1x1x1x2x1xi32>
    %17 = tt.broadcast %16 : tensor<1x1x1x1x1x1x1x1x2x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %18 = arith.xori %14, %17 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %19 = arith.cmpi ne, %18, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %20 = arith.cmpi sgt, %4, %11 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %21 = arith.cmpi ne, %20, %19 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %22 = arith.select %21, %11, %4 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %23 = tt.reshape %22 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %24 = tt.reshape %23 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %25 = "tt.reduce"(%24) <{axis = 8 : i32}> ({
    ^bb0(%26: i32, %27: i32):
      %28 = arith.xori %26, %27 : i32
      tt.reduce.return %28 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %29 = tt.expand_dims %25 {axis = 8 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x1x2xi32>
    %30 = tt.broadcast %29 : tensor<2x2x2x2x2x2x2x2x1x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %31 = arith.xori %24, %30 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %32 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %33 = tt.reshape %32 : tensor<2xi32> -> tensor<1x1x1x1x1x1x1x1x2x1xi32>
    %34 = tt.broadcast %33 : tensor<1x1x1x1x1x1x1x1x2x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %35 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %36 = tt.reshape %35 : tensor<2xi32> -> tensor<1x1x1x1x1x1x1x2x1x1xi32>
    %37 = tt.broadcast %36 : tensor<1x1x1x1x1x1x1x2x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %38 = arith.xori %34, %37 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %39 = arith.cmpi ne, %38, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %40 = arith.cmpi sgt, %24, %31 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %41 = arith.cmpi ne, %40, %39 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %42 = arith.select %41, %31, %24 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %43 = tt.reshape %42 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %44 = tt.reshape %43 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %45 = "tt.reduce"(%44) <{axis = 9 : i32}> ({
    ^bb0(%46: i32, %47: i32):
      %48 = arith.xori %46, %47 : i32
      tt.reduce.return %48 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %49 = tt.expand_dims %45 {axis = 9 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x1xi32>
    %50 = tt.broadcast %49 : tensor<2x2x2x2x2x2x2x2x2x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %51 = arith.xori %44, %50 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %52 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %53 = tt.reshape %52 : tensor<2xi32> -> tensor<1x1x1x1x1x1x1x1x1x2xi32>
    %54 = tt.broadcast %53 : tensor<1x1x1x1x1x1x1x1x1x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %55 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %56 = tt.reshape %55 : tensor<2xi32> -> tensor<1x1x1x1x1x1x1x2x1x1xi32>
    %57 = tt.broadcast %56 : tensor<1x1x1x1x1x1x1x2x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %58 = arith.xori %54, %57 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %59 = arith.cmpi ne, %58, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %60 = arith.cmpi sgt, %44, %51 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %61 = arith.cmpi ne, %60, %59 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %62 = arith.select %61, %51, %44 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %63 = tt.reshape %62 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %64 = tt.reshape %63 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %65 = "tt.reduce"(%64) <{axis = 7 : i32}> ({
    ^bb0(%66: i32, %67: i32):
      %68 = arith.xori %66, %67 : i32
      tt.reduce.return %68 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %69 = tt.expand_dims %65 {axis = 7 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x1x2x2xi32>
    %70 = tt.broadcast %69 : tensor<2x2x2x2x2x2x2x1x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %71 = arith.xori %64, %70 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %72 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %73 = tt.reshape %72 : tensor<2xi32> -> tensor<1x1x1x1x1x1x1x2x1x1xi32>
    %74 = tt.broadcast %73 : tensor<1x1x1x1x1x1x1x2x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %75 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %76 = tt.reshape %75 : tensor<2xi32> -> tensor<1x1x1x1x1x1x2x1x1x1xi32>
    %77 = tt.broadcast %76 : tensor<1x1x1x1x1x1x2x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %78 = arith.xori %74, %77 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %79 = arith.cmpi ne, %78, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %80 = arith.cmpi sgt, %64, %71 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %81 = arith.cmpi ne, %80, %79 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %82 = arith.select %81, %71, %64 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %83 = tt.reshape %82 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %84 = tt.reshape %83 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %85 = "tt.reduce"(%84) <{axis = 8 : i32}> ({
    ^bb0(%86: i32, %87: i32):
      %88 = arith.xori %86, %87 : i32
      tt.reduce.return %88 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %89 = tt.expand_dims %85 {axis = 8 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x1x2xi32>
    %90 = tt.broadcast %89 : tensor<2x2x2x2x2x2x2x2x1x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %91 = arith.xori %84, %90 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %92 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %93 = tt.reshape %92 : tensor<2xi32> -> tensor<1x1x1x1x1x1x1x1x2x1xi32>
    %94 = tt.broadcast %93 : tensor<1x1x1x1x1x1x1x1x2x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %95 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %96 = tt.reshape %95 : tensor<2xi32> -> tensor<1x1x1x1x1x1x2x1x1x1xi32>
    %97 = tt.broadcast %96 : tensor<1x1x1x1x1x1x2x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %98 = arith.xori %94, %97 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %99 = arith.cmpi ne, %98, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %100 = arith.cmpi sgt, %84, %91 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %101 = arith.cmpi ne, %100, %99 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %102 = arith.select %101, %91, %84 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %103 = tt.reshape %102 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %104 = tt.reshape %103 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %105 = "tt.reduce"(%104) <{axis = 9 : i32}> ({
    ^bb0(%106: i32, %107: i32):
      %108 = arith.xori %106, %107 : i32
      tt.reduce.return %108 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %109 = tt.expand_dims %105 {axis = 9 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x1xi32>
    %110 = tt.broadcast %109 : tensor<2x2x2x2x2x2x2x2x2x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %111 = arith.xori %104, %110 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %112 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %113 = tt.reshape %112 : tensor<2xi32> -> tensor<1x1x1x1x1x1x1x1x1x2xi32>
    %114 = tt.broadcast %113 : tensor<1x1x1x1x1x1x1x1x1x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %115 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %116 = tt.reshape %115 : tensor<2xi32> -> tensor<1x1x1x1x1x1x2x1x1x1xi32>
    %117 = tt.broadcast %116 : tensor<1x1x1x1x1x1x2x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %118 = arith.xori %114, %117 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %119 = arith.cmpi ne, %118, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %120 = arith.cmpi sgt, %104, %111 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %121 = arith.cmpi ne, %120, %119 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %122 = arith.select %121, %111, %104 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %123 = tt.reshape %122 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %124 = tt.reshape %123 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %125 = "tt.reduce"(%124) <{axis = 6 : i32}> ({
    ^bb0(%126: i32, %127: i32):
      %128 = arith.xori %126, %127 : i32
      tt.reduce.return %128 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %129 = tt.expand_dims %125 {axis = 6 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x1x2x2x2xi32>
    %130 = tt.broadcast %129 : tensor<2x2x2x2x2x2x1x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %131 = arith.xori %124, %130 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %132 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %133 = tt.reshape %132 : tensor<2xi32> -> tensor<1x1x1x1x1x1x2x1x1x1xi32>
    %134 = tt.broadcast %133 : tensor<1x1x1x1x1x1x2x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %135 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %136 = tt.reshape %135 : tensor<2xi32> -> tensor<1x1x1x1x1x2x1x1x1x1xi32>
    %137 = tt.broadcast %136 : tensor<1x1x1x1x1x2x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %138 = arith.xori %134, %137 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %139 = arith.cmpi ne, %138, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %140 = arith.cmpi sgt, %124, %131 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %141 = arith.cmpi ne, %140, %139 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %142 = arith.select %141, %131, %124 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %143 = tt.reshape %142 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %144 = tt.reshape %143 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %145 = "tt.reduce"(%144) <{axis = 7 : i32}> ({
    ^bb0(%146: i32, %147: i32):
      %148 = arith.xori %146, %147 : i32
      tt.reduce.return %148 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %149 = tt.expand_dims %145 {axis = 7 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x1x2x2xi32>
    %150 = tt.broadcast %149 : tensor<2x2x2x2x2x2x2x1x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %151 = arith.xori %144, %150 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %152 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %153 = tt.reshape %152 : tensor<2xi32> -> tensor<1x1x1x1x1x1x1x2x1x1xi32>
    %154 = tt.broadcast %153 : tensor<1x1x1x1x1x1x1x2x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %155 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %156 = tt.reshape %155 : tensor<2xi32> -> tensor<1x1x1x1x1x2x1x1x1x1xi32>
    %157 = tt.broadcast %156 : tensor<1x1x1x1x1x2x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %158 = arith.xori %154, %157 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %159 = arith.cmpi ne, %158, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %160 = arith.cmpi sgt, %144, %151 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %161 = arith.cmpi ne, %160, %159 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %162 = arith.select %161, %151, %144 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %163 = tt.reshape %162 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %164 = tt.reshape %163 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %165 = "tt.reduce"(%164) <{axis = 8 : i32}> ({
    ^bb0(%166: i32, %167: i32):
      %168 = arith.xori %166, %167 : i32
      tt.reduce.return %168 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %169 = tt.expand_dims %165 {axis = 8 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x1x2xi32>
    %170 = tt.broadcast %169 : tensor<2x2x2x2x2x2x2x2x1x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %171 = arith.xori %164, %170 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %172 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %173 = tt.reshape %172 : tensor<2xi32> -> tensor<1x1x1x1x1x1x1x1x2x1xi32>
    %174 = tt.broadcast %173 : tensor<1x1x1x1x1x1x1x1x2x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %175 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %176 = tt.reshape %175 : tensor<2xi32> -> tensor<1x1x1x1x1x2x1x1x1x1xi32>
    %177 = tt.broadcast %176 : tensor<1x1x1x1x1x2x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %178 = arith.xori %174, %177 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %179 = arith.cmpi ne, %178, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %180 = arith.cmpi sgt, %164, %171 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %181 = arith.cmpi ne, %180, %179 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %182 = arith.select %181, %171, %164 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %183 = tt.reshape %182 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %184 = tt.reshape %183 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %185 = "tt.reduce"(%184) <{axis = 9 : i32}> ({
    ^bb0(%186: i32, %187: i32):
      %188 = arith.xori %186, %187 : i32
      tt.reduce.return %188 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %189 = tt.expand_dims %185 {axis = 9 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x1xi32>
    %190 = tt.broadcast %189 : tensor<2x2x2x2x2x2x2x2x2x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %191 = arith.xori %184, %190 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %192 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %193 = tt.reshape %192 : tensor<2xi32> -> tensor<1x1x1x1x1x1x1x1x1x2xi32>
    %194 = tt.broadcast %193 : tensor<1x1x1x1x1x1x1x1x1x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %195 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %196 = tt.reshape %195 : tensor<2xi32> -> tensor<1x1x1x1x1x2x1x1x1x1xi32>
    %197 = tt.broadcast %196 : tensor<1x1x1x1x1x2x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %198 = arith.xori %194, %197 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %199 = arith.cmpi ne, %198, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %200 = arith.cmpi sgt, %184, %191 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %201 = arith.cmpi ne, %200, %199 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %202 = arith.select %201, %191, %184 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %203 = tt.reshape %202 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %204 = tt.reshape %203 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %205 = "tt.reduce"(%204) <{axis = 5 : i32}> ({
    ^bb0(%206: i32, %207: i32):
      %208 = arith.xori %206, %207 : i32
      tt.reduce.return %208 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %209 = tt.expand_dims %205 {axis = 5 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x1x2x2x2x2xi32>
    %210 = tt.broadcast %209 : tensor<2x2x2x2x2x1x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %211 = arith.xori %204, %210 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %212 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %213 = tt.reshape %212 : tensor<2xi32> -> tensor<1x1x1x1x1x2x1x1x1x1xi32>
    %214 = tt.broadcast %213 : tensor<1x1x1x1x1x2x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %215 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %216 = tt.reshape %215 : tensor<2xi32> -> tensor<1x1x1x1x2x1x1x1x1x1xi32>
    %217 = tt.broadcast %216 : tensor<1x1x1x1x2x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %218 = arith.xori %214, %217 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %219 = arith.cmpi ne, %218, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %220 = arith.cmpi sgt, %204, %211 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %221 = arith.cmpi ne, %220, %219 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %222 = arith.select %221, %211, %204 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %223 = tt.reshape %222 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %224 = tt.reshape %223 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %225 = "tt.reduce"(%224) <{axis = 6 : i32}> ({
    ^bb0(%226: i32, %227: i32):
      %228 = arith.xori %226, %227 : i32
      tt.reduce.return %228 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %229 = tt.expand_dims %225 {axis = 6 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x1x2x2x2xi32>
    %230 = tt.broadcast %229 : tensor<2x2x2x2x2x2x1x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %231 = arith.xori %224, %230 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %232 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %233 = tt.reshape %232 : tensor<2xi32> -> tensor<1x1x1x1x1x1x2x1x1x1xi32>
    %234 = tt.broadcast %233 : tensor<1x1x1x1x1x1x2x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %235 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %236 = tt.reshape %235 : tensor<2xi32> -> tensor<1x1x1x1x2x1x1x1x1x1xi32>
    %237 = tt.broadcast %236 : tensor<1x1x1x1x2x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %238 = arith.xori %234, %237 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %239 = arith.cmpi ne, %238, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %240 = arith.cmpi sgt, %224, %231 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %241 = arith.cmpi ne, %240, %239 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %242 = arith.select %241, %231, %224 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %243 = tt.reshape %242 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %244 = tt.reshape %243 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %245 = "tt.reduce"(%244) <{axis = 7 : i32}> ({
    ^bb0(%246: i32, %247: i32):
      %248 = arith.xori %246, %247 : i32
      tt.reduce.return %248 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %249 = tt.expand_dims %245 {axis = 7 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x1x2x2xi32>
    %250 = tt.broadcast %249 : tensor<2x2x2x2x2x2x2x1x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %251 = arith.xori %244, %250 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %252 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %253 = tt.reshape %252 : tensor<2xi32> -> tensor<1x1x1x1x1x1x1x2x1x1xi32>
    %254 = tt.broadcast %253 : tensor<1x1x1x1x1x1x1x2x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %255 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %256 = tt.reshape %255 : tensor<2xi32> -> tensor<1x1x1x1x2x1x1x1x1x1xi32>
    %257 = tt.broadcast %256 : tensor<1x1x1x1x2x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %258 = arith.xori %254, %257 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %259 = arith.cmpi ne, %258, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %260 = arith.cmpi sgt, %244, %251 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %261 = arith.cmpi ne, %260, %259 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %262 = arith.select %261, %251, %244 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %263 = tt.reshape %262 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %264 = tt.reshape %263 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %265 = "tt.reduce"(%264) <{axis = 8 : i32}> ({
    ^bb0(%266: i32, %267: i32):
      %268 = arith.xori %266, %267 : i32
      tt.reduce.return %268 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %269 = tt.expand_dims %265 {axis = 8 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x1x2xi32>
    %270 = tt.broadcast %269 : tensor<2x2x2x2x2x2x2x2x1x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %271 = arith.xori %264, %270 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %272 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %273 = tt.reshape %272 : tensor<2xi32> -> tensor<1x1x1x1x1x1x1x1x2x1xi32>
    %274 = tt.broadcast %273 : tensor<1x1x1x1x1x1x1x1x2x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %275 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %276 = tt.reshape %275 : tensor<2xi32> -> tensor<1x1x1x1x2x1x1x1x1x1xi32>
    %277 = tt.broadcast %276 : tensor<1x1x1x1x2x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %278 = arith.xori %274, %277 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %279 = arith.cmpi ne, %278, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %280 = arith.cmpi sgt, %264, %271 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %281 = arith.cmpi ne, %280, %279 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %282 = arith.select %281, %271, %264 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %283 = tt.reshape %282 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %284 = tt.reshape %283 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %285 = "tt.reduce"(%284) <{axis = 9 : i32}> ({
    ^bb0(%286: i32, %287: i32):
      %288 = arith.xori %286, %287 : i32
      tt.reduce.return %288 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %289 = tt.expand_dims %285 {axis = 9 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x1xi32>
    %290 = tt.broadcast %289 : tensor<2x2x2x2x2x2x2x2x2x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %291 = arith.xori %284, %290 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %292 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %293 = tt.reshape %292 : tensor<2xi32> -> tensor<1x1x1x1x1x1x1x1x1x2xi32>
    %294 = tt.broadcast %293 : tensor<1x1x1x1x1x1x1x1x1x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %295 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %296 = tt.reshape %295 : tensor<2xi32> -> tensor<1x1x1x1x2x1x1x1x1x1xi32>
    %297 = tt.broadcast %296 : tensor<1x1x1x1x2x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %298 = arith.xori %294, %297 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %299 = arith.cmpi ne, %298, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %300 = arith.cmpi sgt, %284, %291 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %301 = arith.cmpi ne, %300, %299 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %302 = arith.select %301, %291, %284 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %303 = tt.reshape %302 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %304 = tt.reshape %303 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %305 = "tt.reduce"(%304) <{axis = 4 : i32}> ({
    ^bb0(%306: i32, %307: i32):
      %308 = arith.xori %306, %307 : i32
      tt.reduce.return %308 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %309 = tt.expand_dims %305 {axis = 4 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x1x2x2x2x2x2xi32>
    %310 = tt.broadcast %309 : tensor<2x2x2x2x1x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %311 = arith.xori %304, %310 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %312 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %313 = tt.reshape %312 : tensor<2xi32> -> tensor<1x1x1x1x2x1x1x1x1x1xi32>
    %314 = tt.broadcast %313 : tensor<1x1x1x1x2x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %315 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %316 = tt.reshape %315 : tensor<2xi32> -> tensor<1x1x1x2x1x1x1x1x1x1xi32>
    %317 = tt.broadcast %316 : tensor<1x1x1x2x1x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %318 = arith.xori %314, %317 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %319 = arith.cmpi ne, %318, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %320 = arith.cmpi sgt, %304, %311 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %321 = arith.cmpi ne, %320, %319 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %322 = arith.select %321, %311, %304 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %323 = tt.reshape %322 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %324 = tt.reshape %323 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %325 = "tt.reduce"(%324) <{axis = 5 : i32}> ({
    ^bb0(%326: i32, %327: i32):
      %328 = arith.xori %326, %327 : i32
      tt.reduce.return %328 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %329 = tt.expand_dims %325 {axis = 5 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x1x2x2x2x2xi32>
    %330 = tt.broadcast %329 : tensor<2x2x2x2x2x1x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %331 = arith.xori %324, %330 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %332 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %333 = tt.reshape %332 : tensor<2xi32> -> tensor<1x1x1x1x1x2x1x1x1x1xi32>
    %334 = tt.broadcast %333 : tensor<1x1x1x1x1x2x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %335 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %336 = tt.reshape %335 : tensor<2xi32> -> tensor<1x1x1x2x1x1x1x1x1x1xi32>
    %337 = tt.broadcast %336 : tensor<1x1x1x2x1x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %338 = arith.xori %334, %337 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %339 = arith.cmpi ne, %338, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %340 = arith.cmpi sgt, %324, %331 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %341 = arith.cmpi ne, %340, %339 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %342 = arith.select %341, %331, %324 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %343 = tt.reshape %342 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %344 = tt.reshape %343 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %345 = "tt.reduce"(%344) <{axis = 6 : i32}> ({
    ^bb0(%346: i32, %347: i32):
      %348 = arith.xori %346, %347 : i32
      tt.reduce.return %348 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %349 = tt.expand_dims %345 {axis = 6 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x1x2x2x2xi32>
    %350 = tt.broadcast %349 : tensor<2x2x2x2x2x2x1x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %351 = arith.xori %344, %350 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %352 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %353 = tt.reshape %352 : tensor<2xi32> -> tensor<1x1x1x1x1x1x2x1x1x1xi32>
    %354 = tt.broadcast %353 : tensor<1x1x1x1x1x1x2x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %355 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %356 = tt.reshape %355 : tensor<2xi32> -> tensor<1x1x1x2x1x1x1x1x1x1xi32>
    %357 = tt.broadcast %356 : tensor<1x1x1x2x1x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %358 = arith.xori %354, %357 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %359 = arith.cmpi ne, %358, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %360 = arith.cmpi sgt, %344, %351 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %361 = arith.cmpi ne, %360, %359 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %362 = arith.select %361, %351, %344 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %363 = tt.reshape %362 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %364 = tt.reshape %363 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %365 = "tt.reduce"(%364) <{axis = 7 : i32}> ({
    ^bb0(%366: i32, %367: i32):
      %368 = arith.xori %366, %367 : i32
      tt.reduce.return %368 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %369 = tt.expand_dims %365 {axis = 7 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x1x2x2xi32>
    %370 = tt.broadcast %369 : tensor<2x2x2x2x2x2x2x1x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %371 = arith.xori %364, %370 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %372 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %373 = tt.reshape %372 : tensor<2xi32> -> tensor<1x1x1x1x1x1x1x2x1x1xi32>
    %374 = tt.broadcast %373 : tensor<1x1x1x1x1x1x1x2x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %375 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %376 = tt.reshape %375 : tensor<2xi32> -> tensor<1x1x1x2x1x1x1x1x1x1xi32>
    %377 = tt.broadcast %376 : tensor<1x1x1x2x1x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %378 = arith.xori %374, %377 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %379 = arith.cmpi ne, %378, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %380 = arith.cmpi sgt, %364, %371 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %381 = arith.cmpi ne, %380, %379 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %382 = arith.select %381, %371, %364 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %383 = tt.reshape %382 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %384 = tt.reshape %383 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %385 = "tt.reduce"(%384) <{axis = 8 : i32}> ({
    ^bb0(%386: i32, %387: i32):
      %388 = arith.xori %386, %387 : i32
      tt.reduce.return %388 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %389 = tt.expand_dims %385 {axis = 8 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x1x2xi32>
    %390 = tt.broadcast %389 : tensor<2x2x2x2x2x2x2x2x1x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %391 = arith.xori %384, %390 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %392 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %393 = tt.reshape %392 : tensor<2xi32> -> tensor<1x1x1x1x1x1x1x1x2x1xi32>
    %394 = tt.broadcast %393 : tensor<1x1x1x1x1x1x1x1x2x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %395 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %396 = tt.reshape %395 : tensor<2xi32> -> tensor<1x1x1x2x1x1x1x1x1x1xi32>
    %397 = tt.broadcast %396 : tensor<1x1x1x2x1x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %398 = arith.xori %394, %397 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %399 = arith.cmpi ne, %398, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %400 = arith.cmpi sgt, %384, %391 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %401 = arith.cmpi ne, %400, %399 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %402 = arith.select %401, %391, %384 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %403 = tt.reshape %402 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %404 = tt.reshape %403 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %405 = "tt.reduce"(%404) <{axis = 9 : i32}> ({
    ^bb0(%406: i32, %407: i32):
      %408 = arith.xori %406, %407 : i32
      tt.reduce.return %408 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %409 = tt.expand_dims %405 {axis = 9 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x1xi32>
    %410 = tt.broadcast %409 : tensor<2x2x2x2x2x2x2x2x2x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %411 = arith.xori %404, %410 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %412 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %413 = tt.reshape %412 : tensor<2xi32> -> tensor<1x1x1x1x1x1x1x1x1x2xi32>
    %414 = tt.broadcast %413 : tensor<1x1x1x1x1x1x1x1x1x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %415 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %416 = tt.reshape %415 : tensor<2xi32> -> tensor<1x1x1x2x1x1x1x1x1x1xi32>
    %417 = tt.broadcast %416 : tensor<1x1x1x2x1x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %418 = arith.xori %414, %417 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %419 = arith.cmpi ne, %418, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %420 = arith.cmpi sgt, %404, %411 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %421 = arith.cmpi ne, %420, %419 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %422 = arith.select %421, %411, %404 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %423 = tt.reshape %422 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %424 = tt.reshape %423 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %425 = "tt.reduce"(%424) <{axis = 3 : i32}> ({
    ^bb0(%426: i32, %427: i32):
      %428 = arith.xori %426, %427 : i32
      tt.reduce.return %428 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %429 = tt.expand_dims %425 {axis = 3 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x1x2x2x2x2x2x2xi32>
    %430 = tt.broadcast %429 : tensor<2x2x2x1x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %431 = arith.xori %424, %430 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %432 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %433 = tt.reshape %432 : tensor<2xi32> -> tensor<1x1x1x2x1x1x1x1x1x1xi32>
    %434 = tt.broadcast %433 : tensor<1x1x1x2x1x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %435 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %436 = tt.reshape %435 : tensor<2xi32> -> tensor<1x1x2x1x1x1x1x1x1x1xi32>
    %437 = tt.broadcast %436 : tensor<1x1x2x1x1x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %438 = arith.xori %434, %437 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %439 = arith.cmpi ne, %438, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %440 = arith.cmpi sgt, %424, %431 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %441 = arith.cmpi ne, %440, %439 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %442 = arith.select %441, %431, %424 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %443 = tt.reshape %442 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %444 = tt.reshape %443 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %445 = "tt.reduce"(%444) <{axis = 4 : i32}> ({
    ^bb0(%446: i32, %447: i32):
      %448 = arith.xori %446, %447 : i32
      tt.reduce.return %448 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %449 = tt.expand_dims %445 {axis = 4 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x1x2x2x2x2x2xi32>
    %450 = tt.broadcast %449 : tensor<2x2x2x2x1x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %451 = arith.xori %444, %450 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %452 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %453 = tt.reshape %452 : tensor<2xi32> -> tensor<1x1x1x1x2x1x1x1x1x1xi32>
    %454 = tt.broadcast %453 : tensor<1x1x1x1x2x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %455 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %456 = tt.reshape %455 : tensor<2xi32> -> tensor<1x1x2x1x1x1x1x1x1x1xi32>
    %457 = tt.broadcast %456 : tensor<1x1x2x1x1x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %458 = arith.xori %454, %457 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %459 = arith.cmpi ne, %458, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %460 = arith.cmpi sgt, %444, %451 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %461 = arith.cmpi ne, %460, %459 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %462 = arith.select %461, %451, %444 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %463 = tt.reshape %462 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %464 = tt.reshape %463 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %465 = "tt.reduce"(%464) <{axis = 5 : i32}> ({
    ^bb0(%466: i32, %467: i32):
      %468 = arith.xori %466, %467 : i32
      tt.reduce.return %468 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %469 = tt.expand_dims %465 {axis = 5 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x1x2x2x2x2xi32>
    %470 = tt.broadcast %469 : tensor<2x2x2x2x2x1x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %471 = arith.xori %464, %470 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %472 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %473 = tt.reshape %472 : tensor<2xi32> -> tensor<1x1x1x1x1x2x1x1x1x1xi32>
    %474 = tt.broadcast %473 : tensor<1x1x1x1x1x2x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %475 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %476 = tt.reshape %475 : tensor<2xi32> -> tensor<1x1x2x1x1x1x1x1x1x1xi32>
    %477 = tt.broadcast %476 : tensor<1x1x2x1x1x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %478 = arith.xori %474, %477 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %479 = arith.cmpi ne, %478, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %480 = arith.cmpi sgt, %464, %471 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %481 = arith.cmpi ne, %480, %479 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %482 = arith.select %481, %471, %464 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %483 = tt.reshape %482 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %484 = tt.reshape %483 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %485 = "tt.reduce"(%484) <{axis = 6 : i32}> ({
    ^bb0(%486: i32, %487: i32):
      %488 = arith.xori %486, %487 : i32
      tt.reduce.return %488 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %489 = tt.expand_dims %485 {axis = 6 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x1x2x2x2xi32>
    %490 = tt.broadcast %489 : tensor<2x2x2x2x2x2x1x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %491 = arith.xori %484, %490 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %492 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %493 = tt.reshape %492 : tensor<2xi32> -> tensor<1x1x1x1x1x1x2x1x1x1xi32>
    %494 = tt.broadcast %493 : tensor<1x1x1x1x1x1x2x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %495 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %496 = tt.reshape %495 : tensor<2xi32> -> tensor<1x1x2x1x1x1x1x1x1x1xi32>
    %497 = tt.broadcast %496 : tensor<1x1x2x1x1x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %498 = arith.xori %494, %497 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %499 = arith.cmpi ne, %498, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %500 = arith.cmpi sgt, %484, %491 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %501 = arith.cmpi ne, %500, %499 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %502 = arith.select %501, %491, %484 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %503 = tt.reshape %502 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %504 = tt.reshape %503 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %505 = "tt.reduce"(%504) <{axis = 7 : i32}> ({
    ^bb0(%506: i32, %507: i32):
      %508 = arith.xori %506, %507 : i32
      tt.reduce.return %508 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %509 = tt.expand_dims %505 {axis = 7 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x1x2x2xi32>
    %510 = tt.broadcast %509 : tensor<2x2x2x2x2x2x2x1x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %511 = arith.xori %504, %510 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %512 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %513 = tt.reshape %512 : tensor<2xi32> -> tensor<1x1x1x1x1x1x1x2x1x1xi32>
    %514 = tt.broadcast %513 : tensor<1x1x1x1x1x1x1x2x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %515 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %516 = tt.reshape %515 : tensor<2xi32> -> tensor<1x1x2x1x1x1x1x1x1x1xi32>
    %517 = tt.broadcast %516 : tensor<1x1x2x1x1x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %518 = arith.xori %514, %517 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %519 = arith.cmpi ne, %518, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %520 = arith.cmpi sgt, %504, %511 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %521 = arith.cmpi ne, %520, %519 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %522 = arith.select %521, %511, %504 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %523 = tt.reshape %522 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %524 = tt.reshape %523 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %525 = "tt.reduce"(%524) <{axis = 8 : i32}> ({
    ^bb0(%526: i32, %527: i32):
      %528 = arith.xori %526, %527 : i32
      tt.reduce.return %528 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %529 = tt.expand_dims %525 {axis = 8 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x1x2xi32>
    %530 = tt.broadcast %529 : tensor<2x2x2x2x2x2x2x2x1x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %531 = arith.xori %524, %530 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %532 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %533 = tt.reshape %532 : tensor<2xi32> -> tensor<1x1x1x1x1x1x1x1x2x1xi32>
    %534 = tt.broadcast %533 : tensor<1x1x1x1x1x1x1x1x2x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %535 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %536 = tt.reshape %535 : tensor<2xi32> -> tensor<1x1x2x1x1x1x1x1x1x1xi32>
    %537 = tt.broadcast %536 : tensor<1x1x2x1x1x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %538 = arith.xori %534, %537 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %539 = arith.cmpi ne, %538, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %540 = arith.cmpi sgt, %524, %531 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %541 = arith.cmpi ne, %540, %539 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %542 = arith.select %541, %531, %524 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %543 = tt.reshape %542 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %544 = tt.reshape %543 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %545 = "tt.reduce"(%544) <{axis = 9 : i32}> ({
    ^bb0(%546: i32, %547: i32):
      %548 = arith.xori %546, %547 : i32
      tt.reduce.return %548 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %549 = tt.expand_dims %545 {axis = 9 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x1xi32>
    %550 = tt.broadcast %549 : tensor<2x2x2x2x2x2x2x2x2x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %551 = arith.xori %544, %550 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %552 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %553 = tt.reshape %552 : tensor<2xi32> -> tensor<1x1x1x1x1x1x1x1x1x2xi32>
    %554 = tt.broadcast %553 : tensor<1x1x1x1x1x1x1x1x1x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %555 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %556 = tt.reshape %555 : tensor<2xi32> -> tensor<1x1x2x1x1x1x1x1x1x1xi32>
    %557 = tt.broadcast %556 : tensor<1x1x2x1x1x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %558 = arith.xori %554, %557 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %559 = arith.cmpi ne, %558, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %560 = arith.cmpi sgt, %544, %551 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %561 = arith.cmpi ne, %560, %559 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %562 = arith.select %561, %551, %544 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %563 = tt.reshape %562 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %564 = tt.reshape %563 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %565 = "tt.reduce"(%564) <{axis = 2 : i32}> ({
    ^bb0(%566: i32, %567: i32):
      %568 = arith.xori %566, %567 : i32
      tt.reduce.return %568 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %569 = tt.expand_dims %565 {axis = 2 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x1x2x2x2x2x2x2x2xi32>
    %570 = tt.broadcast %569 : tensor<2x2x1x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %571 = arith.xori %564, %570 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %572 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %573 = tt.reshape %572 : tensor<2xi32> -> tensor<1x1x2x1x1x1x1x1x1x1xi32>
    %574 = tt.broadcast %573 : tensor<1x1x2x1x1x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %575 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %576 = tt.reshape %575 : tensor<2xi32> -> tensor<1x2x1x1x1x1x1x1x1x1xi32>
    %577 = tt.broadcast %576 : tensor<1x2x1x1x1x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %578 = arith.xori %574, %577 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %579 = arith.cmpi ne, %578, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %580 = arith.cmpi sgt, %564, %571 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %581 = arith.cmpi ne, %580, %579 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %582 = arith.select %581, %571, %564 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %583 = tt.reshape %582 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %584 = tt.reshape %583 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %585 = "tt.reduce"(%584) <{axis = 3 : i32}> ({
    ^bb0(%586: i32, %587: i32):
      %588 = arith.xori %586, %587 : i32
      tt.reduce.return %588 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %589 = tt.expand_dims %585 {axis = 3 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x1x2x2x2x2x2x2xi32>
    %590 = tt.broadcast %589 : tensor<2x2x2x1x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %591 = arith.xori %584, %590 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %592 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %593 = tt.reshape %592 : tensor<2xi32> -> tensor<1x1x1x2x1x1x1x1x1x1xi32>
    %594 = tt.broadcast %593 : tensor<1x1x1x2x1x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %595 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %596 = tt.reshape %595 : tensor<2xi32> -> tensor<1x2x1x1x1x1x1x1x1x1xi32>
    %597 = tt.broadcast %596 : tensor<1x2x1x1x1x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %598 = arith.xori %594, %597 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %599 = arith.cmpi ne, %598, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %600 = arith.cmpi sgt, %584, %591 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %601 = arith.cmpi ne, %600, %599 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %602 = arith.select %601, %591, %584 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %603 = tt.reshape %602 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %604 = tt.reshape %603 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %605 = "tt.reduce"(%604) <{axis = 4 : i32}> ({
    ^bb0(%606: i32, %607: i32):
      %608 = arith.xori %606, %607 : i32
      tt.reduce.return %608 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %609 = tt.expand_dims %605 {axis = 4 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x1x2x2x2x2x2xi32>
    %610 = tt.broadcast %609 : tensor<2x2x2x2x1x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %611 = arith.xori %604, %610 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %612 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %613 = tt.reshape %612 : tensor<2xi32> -> tensor<1x1x1x1x2x1x1x1x1x1xi32>
    %614 = tt.broadcast %613 : tensor<1x1x1x1x2x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %615 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %616 = tt.reshape %615 : tensor<2xi32> -> tensor<1x2x1x1x1x1x1x1x1x1xi32>
    %617 = tt.broadcast %616 : tensor<1x2x1x1x1x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %618 = arith.xori %614, %617 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %619 = arith.cmpi ne, %618, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %620 = arith.cmpi sgt, %604, %611 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %621 = arith.cmpi ne, %620, %619 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %622 = arith.select %621, %611, %604 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %623 = tt.reshape %622 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %624 = tt.reshape %623 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %625 = "tt.reduce"(%624) <{axis = 5 : i32}> ({
    ^bb0(%626: i32, %627: i32):
      %628 = arith.xori %626, %627 : i32
      tt.reduce.return %628 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %629 = tt.expand_dims %625 {axis = 5 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x1x2x2x2x2xi32>
    %630 = tt.broadcast %629 : tensor<2x2x2x2x2x1x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %631 = arith.xori %624, %630 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %632 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %633 = tt.reshape %632 : tensor<2xi32> -> tensor<1x1x1x1x1x2x1x1x1x1xi32>
    %634 = tt.broadcast %633 : tensor<1x1x1x1x1x2x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %635 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %636 = tt.reshape %635 : tensor<2xi32> -> tensor<1x2x1x1x1x1x1x1x1x1xi32>
    %637 = tt.broadcast %636 : tensor<1x2x1x1x1x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %638 = arith.xori %634, %637 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %639 = arith.cmpi ne, %638, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %640 = arith.cmpi sgt, %624, %631 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %641 = arith.cmpi ne, %640, %639 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %642 = arith.select %641, %631, %624 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %643 = tt.reshape %642 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %644 = tt.reshape %643 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %645 = "tt.reduce"(%644) <{axis = 6 : i32}> ({
    ^bb0(%646: i32, %647: i32):
      %648 = arith.xori %646, %647 : i32
      tt.reduce.return %648 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %649 = tt.expand_dims %645 {axis = 6 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x1x2x2x2xi32>
    %650 = tt.broadcast %649 : tensor<2x2x2x2x2x2x1x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %651 = arith.xori %644, %650 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %652 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %653 = tt.reshape %652 : tensor<2xi32> -> tensor<1x1x1x1x1x1x2x1x1x1xi32>
    %654 = tt.broadcast %653 : tensor<1x1x1x1x1x1x2x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %655 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %656 = tt.reshape %655 : tensor<2xi32> -> tensor<1x2x1x1x1x1x1x1x1x1xi32>
    %657 = tt.broadcast %656 : tensor<1x2x1x1x1x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %658 = arith.xori %654, %657 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %659 = arith.cmpi ne, %658, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %660 = arith.cmpi sgt, %644, %651 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %661 = arith.cmpi ne, %660, %659 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %662 = arith.select %661, %651, %644 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %663 = tt.reshape %662 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %664 = tt.reshape %663 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %665 = "tt.reduce"(%664) <{axis = 7 : i32}> ({
    ^bb0(%666: i32, %667: i32):
      %668 = arith.xori %666, %667 : i32
      tt.reduce.return %668 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %669 = tt.expand_dims %665 {axis = 7 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x1x2x2xi32>
    %670 = tt.broadcast %669 : tensor<2x2x2x2x2x2x2x1x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %671 = arith.xori %664, %670 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %672 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %673 = tt.reshape %672 : tensor<2xi32> -> tensor<1x1x1x1x1x1x1x2x1x1xi32>
    %674 = tt.broadcast %673 : tensor<1x1x1x1x1x1x1x2x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %675 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %676 = tt.reshape %675 : tensor<2xi32> -> tensor<1x2x1x1x1x1x1x1x1x1xi32>
    %677 = tt.broadcast %676 : tensor<1x2x1x1x1x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %678 = arith.xori %674, %677 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %679 = arith.cmpi ne, %678, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %680 = arith.cmpi sgt, %664, %671 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %681 = arith.cmpi ne, %680, %679 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %682 = arith.select %681, %671, %664 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %683 = tt.reshape %682 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %684 = tt.reshape %683 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %685 = "tt.reduce"(%684) <{axis = 8 : i32}> ({
    ^bb0(%686: i32, %687: i32):
      %688 = arith.xori %686, %687 : i32
      tt.reduce.return %688 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %689 = tt.expand_dims %685 {axis = 8 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x1x2xi32>
    %690 = tt.broadcast %689 : tensor<2x2x2x2x2x2x2x2x1x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %691 = arith.xori %684, %690 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %692 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %693 = tt.reshape %692 : tensor<2xi32> -> tensor<1x1x1x1x1x1x1x1x2x1xi32>
    %694 = tt.broadcast %693 : tensor<1x1x1x1x1x1x1x1x2x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %695 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %696 = tt.reshape %695 : tensor<2xi32> -> tensor<1x2x1x1x1x1x1x1x1x1xi32>
    %697 = tt.broadcast %696 : tensor<1x2x1x1x1x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %698 = arith.xori %694, %697 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %699 = arith.cmpi ne, %698, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %700 = arith.cmpi sgt, %684, %691 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %701 = arith.cmpi ne, %700, %699 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %702 = arith.select %701, %691, %684 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %703 = tt.reshape %702 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %704 = tt.reshape %703 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %705 = "tt.reduce"(%704) <{axis = 9 : i32}> ({
    ^bb0(%706: i32, %707: i32):
      %708 = arith.xori %706, %707 : i32
      tt.reduce.return %708 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %709 = tt.expand_dims %705 {axis = 9 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x1xi32>
    %710 = tt.broadcast %709 : tensor<2x2x2x2x2x2x2x2x2x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %711 = arith.xori %704, %710 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %712 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %713 = tt.reshape %712 : tensor<2xi32> -> tensor<1x1x1x1x1x1x1x1x1x2xi32>
    %714 = tt.broadcast %713 : tensor<1x1x1x1x1x1x1x1x1x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %715 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %716 = tt.reshape %715 : tensor<2xi32> -> tensor<1x2x1x1x1x1x1x1x1x1xi32>
    %717 = tt.broadcast %716 : tensor<1x2x1x1x1x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %718 = arith.xori %714, %717 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %719 = arith.cmpi ne, %718, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %720 = arith.cmpi sgt, %704, %711 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %721 = arith.cmpi ne, %720, %719 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %722 = arith.select %721, %711, %704 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %723 = tt.reshape %722 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %724 = tt.reshape %723 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %725 = "tt.reduce"(%724) <{axis = 1 : i32}> ({
    ^bb0(%726: i32, %727: i32):
      %728 = arith.xori %726, %727 : i32
      tt.reduce.return %728 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %729 = tt.expand_dims %725 {axis = 1 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x1x2x2x2x2x2x2x2x2xi32>
    %730 = tt.broadcast %729 : tensor<2x1x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %731 = arith.xori %724, %730 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %732 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %733 = tt.reshape %732 : tensor<2xi32> -> tensor<1x2x1x1x1x1x1x1x1x1xi32>
    %734 = tt.broadcast %733 : tensor<1x2x1x1x1x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %735 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %736 = tt.reshape %735 : tensor<2xi32> -> tensor<2x1x1x1x1x1x1x1x1x1xi32>
    %737 = tt.broadcast %736 : tensor<2x1x1x1x1x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %738 = arith.xori %734, %737 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %739 = arith.cmpi ne, %738, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %740 = arith.cmpi sgt, %724, %731 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %741 = arith.cmpi ne, %740, %739 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %742 = arith.select %741, %731, %724 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %743 = tt.reshape %742 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %744 = tt.reshape %743 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %745 = "tt.reduce"(%744) <{axis = 2 : i32}> ({
    ^bb0(%746: i32, %747: i32):
      %748 = arith.xori %746, %747 : i32
      tt.reduce.return %748 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %749 = tt.expand_dims %745 {axis = 2 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x1x2x2x2x2x2x2x2xi32>
    %750 = tt.broadcast %749 : tensor<2x2x1x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %751 = arith.xori %744, %750 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %752 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %753 = tt.reshape %752 : tensor<2xi32> -> tensor<1x1x2x1x1x1x1x1x1x1xi32>
    %754 = tt.broadcast %753 : tensor<1x1x2x1x1x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %755 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %756 = tt.reshape %755 : tensor<2xi32> -> tensor<2x1x1x1x1x1x1x1x1x1xi32>
    %757 = tt.broadcast %756 : tensor<2x1x1x1x1x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %758 = arith.xori %754, %757 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %759 = arith.cmpi ne, %758, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %760 = arith.cmpi sgt, %744, %751 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %761 = arith.cmpi ne, %760, %759 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %762 = arith.select %761, %751, %744 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %763 = tt.reshape %762 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %764 = tt.reshape %763 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %765 = "tt.reduce"(%764) <{axis = 3 : i32}> ({
    ^bb0(%766: i32, %767: i32):
      %768 = arith.xori %766, %767 : i32
      tt.reduce.return %768 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %769 = tt.expand_dims %765 {axis = 3 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x1x2x2x2x2x2x2xi32>
    %770 = tt.broadcast %769 : tensor<2x2x2x1x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %771 = arith.xori %764, %770 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %772 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %773 = tt.reshape %772 : tensor<2xi32> -> tensor<1x1x1x2x1x1x1x1x1x1xi32>
    %774 = tt.broadcast %773 : tensor<1x1x1x2x1x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %775 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %776 = tt.reshape %775 : tensor<2xi32> -> tensor<2x1x1x1x1x1x1x1x1x1xi32>
    %777 = tt.broadcast %776 : tensor<2x1x1x1x1x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %778 = arith.xori %774, %777 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %779 = arith.cmpi ne, %778, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %780 = arith.cmpi sgt, %764, %771 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %781 = arith.cmpi ne, %780, %779 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %782 = arith.select %781, %771, %764 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %783 = tt.reshape %782 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %784 = tt.reshape %783 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %785 = "tt.reduce"(%784) <{axis = 4 : i32}> ({
    ^bb0(%786: i32, %787: i32):
      %788 = arith.xori %786, %787 : i32
      tt.reduce.return %788 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %789 = tt.expand_dims %785 {axis = 4 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x1x2x2x2x2x2xi32>
    %790 = tt.broadcast %789 : tensor<2x2x2x2x1x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %791 = arith.xori %784, %790 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %792 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %793 = tt.reshape %792 : tensor<2xi32> -> tensor<1x1x1x1x2x1x1x1x1x1xi32>
    %794 = tt.broadcast %793 : tensor<1x1x1x1x2x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %795 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %796 = tt.reshape %795 : tensor<2xi32> -> tensor<2x1x1x1x1x1x1x1x1x1xi32>
    %797 = tt.broadcast %796 : tensor<2x1x1x1x1x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %798 = arith.xori %794, %797 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %799 = arith.cmpi ne, %798, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %800 = arith.cmpi sgt, %784, %791 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %801 = arith.cmpi ne, %800, %799 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %802 = arith.select %801, %791, %784 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %803 = tt.reshape %802 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %804 = tt.reshape %803 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %805 = "tt.reduce"(%804) <{axis = 5 : i32}> ({
    ^bb0(%806: i32, %807: i32):
      %808 = arith.xori %806, %807 : i32
      tt.reduce.return %808 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %809 = tt.expand_dims %805 {axis = 5 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x1x2x2x2x2xi32>
    %810 = tt.broadcast %809 : tensor<2x2x2x2x2x1x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %811 = arith.xori %804, %810 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %812 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %813 = tt.reshape %812 : tensor<2xi32> -> tensor<1x1x1x1x1x2x1x1x1x1xi32>
    %814 = tt.broadcast %813 : tensor<1x1x1x1x1x2x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %815 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %816 = tt.reshape %815 : tensor<2xi32> -> tensor<2x1x1x1x1x1x1x1x1x1xi32>
    %817 = tt.broadcast %816 : tensor<2x1x1x1x1x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %818 = arith.xori %814, %817 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %819 = arith.cmpi ne, %818, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %820 = arith.cmpi sgt, %804, %811 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %821 = arith.cmpi ne, %820, %819 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %822 = arith.select %821, %811, %804 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %823 = tt.reshape %822 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %824 = tt.reshape %823 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %825 = "tt.reduce"(%824) <{axis = 6 : i32}> ({
    ^bb0(%826: i32, %827: i32):
      %828 = arith.xori %826, %827 : i32
      tt.reduce.return %828 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %829 = tt.expand_dims %825 {axis = 6 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x1x2x2x2xi32>
    %830 = tt.broadcast %829 : tensor<2x2x2x2x2x2x1x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %831 = arith.xori %824, %830 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %832 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %833 = tt.reshape %832 : tensor<2xi32> -> tensor<1x1x1x1x1x1x2x1x1x1xi32>
    %834 = tt.broadcast %833 : tensor<1x1x1x1x1x1x2x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %835 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %836 = tt.reshape %835 : tensor<2xi32> -> tensor<2x1x1x1x1x1x1x1x1x1xi32>
    %837 = tt.broadcast %836 : tensor<2x1x1x1x1x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %838 = arith.xori %834, %837 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %839 = arith.cmpi ne, %838, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %840 = arith.cmpi sgt, %824, %831 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %841 = arith.cmpi ne, %840, %839 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %842 = arith.select %841, %831, %824 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %843 = tt.reshape %842 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %844 = tt.reshape %843 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %845 = "tt.reduce"(%844) <{axis = 7 : i32}> ({
    ^bb0(%846: i32, %847: i32):
      %848 = arith.xori %846, %847 : i32
      tt.reduce.return %848 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %849 = tt.expand_dims %845 {axis = 7 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x1x2x2xi32>
    %850 = tt.broadcast %849 : tensor<2x2x2x2x2x2x2x1x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %851 = arith.xori %844, %850 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %852 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %853 = tt.reshape %852 : tensor<2xi32> -> tensor<1x1x1x1x1x1x1x2x1x1xi32>
    %854 = tt.broadcast %853 : tensor<1x1x1x1x1x1x1x2x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %855 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %856 = tt.reshape %855 : tensor<2xi32> -> tensor<2x1x1x1x1x1x1x1x1x1xi32>
    %857 = tt.broadcast %856 : tensor<2x1x1x1x1x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %858 = arith.xori %854, %857 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %859 = arith.cmpi ne, %858, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %860 = arith.cmpi sgt, %844, %851 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %861 = arith.cmpi ne, %860, %859 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %862 = arith.select %861, %851, %844 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %863 = tt.reshape %862 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %864 = tt.reshape %863 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %865 = "tt.reduce"(%864) <{axis = 8 : i32}> ({
    ^bb0(%866: i32, %867: i32):
      %868 = arith.xori %866, %867 : i32
      tt.reduce.return %868 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %869 = tt.expand_dims %865 {axis = 8 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x1x2xi32>
    %870 = tt.broadcast %869 : tensor<2x2x2x2x2x2x2x2x1x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %871 = arith.xori %864, %870 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %872 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %873 = tt.reshape %872 : tensor<2xi32> -> tensor<1x1x1x1x1x1x1x1x2x1xi32>
    %874 = tt.broadcast %873 : tensor<1x1x1x1x1x1x1x1x2x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %875 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %876 = tt.reshape %875 : tensor<2xi32> -> tensor<2x1x1x1x1x1x1x1x1x1xi32>
    %877 = tt.broadcast %876 : tensor<2x1x1x1x1x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %878 = arith.xori %874, %877 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %879 = arith.cmpi ne, %878, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %880 = arith.cmpi sgt, %864, %871 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %881 = arith.cmpi ne, %880, %879 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %882 = arith.select %881, %871, %864 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %883 = tt.reshape %882 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %884 = tt.reshape %883 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %885 = "tt.reduce"(%884) <{axis = 9 : i32}> ({
    ^bb0(%886: i32, %887: i32):
      %888 = arith.xori %886, %887 : i32
      tt.reduce.return %888 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %889 = tt.expand_dims %885 {axis = 9 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x1xi32>
    %890 = tt.broadcast %889 : tensor<2x2x2x2x2x2x2x2x2x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %891 = arith.xori %884, %890 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %892 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %893 = tt.reshape %892 : tensor<2xi32> -> tensor<1x1x1x1x1x1x1x1x1x2xi32>
    %894 = tt.broadcast %893 : tensor<1x1x1x1x1x1x1x1x1x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %895 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %896 = tt.reshape %895 : tensor<2xi32> -> tensor<2x1x1x1x1x1x1x1x1x1xi32>
    %897 = tt.broadcast %896 : tensor<2x1x1x1x1x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %898 = arith.xori %894, %897 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %899 = arith.cmpi ne, %898, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %900 = arith.cmpi sgt, %884, %891 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %901 = arith.cmpi ne, %900, %899 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %902 = arith.select %901, %891, %884 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %903 = tt.reshape %902 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %904 = tt.reshape %903 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %905 = "tt.reduce"(%904) <{axis = 0 : i32}> ({
    ^bb0(%906: i32, %907: i32):
      %908 = arith.xori %906, %907 : i32
      tt.reduce.return %908 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %909 = tt.expand_dims %905 {axis = 0 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<1x2x2x2x2x2x2x2x2x2xi32>
    %910 = tt.broadcast %909 : tensor<1x2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %911 = arith.xori %904, %910 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %912 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %913 = tt.reshape %912 : tensor<2xi32> -> tensor<2x1x1x1x1x1x1x1x1x1xi32>
    %914 = tt.broadcast %913 : tensor<2x1x1x1x1x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %915 = arith.cmpi ne, %914, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %916 = arith.cmpi sgt, %904, %911 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %917 = arith.cmpi ne, %916, %915 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %918 = arith.select %917, %911, %904 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %919 = tt.reshape %918 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %920 = tt.reshape %919 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %921 = "tt.reduce"(%920) <{axis = 1 : i32}> ({
    ^bb0(%922: i32, %923: i32):
      %924 = arith.xori %922, %923 : i32
      tt.reduce.return %924 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %925 = tt.expand_dims %921 {axis = 1 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x1x2x2x2x2x2x2x2x2xi32>
    %926 = tt.broadcast %925 : tensor<2x1x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %927 = arith.xori %920, %926 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %928 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %929 = tt.reshape %928 : tensor<2xi32> -> tensor<1x2x1x1x1x1x1x1x1x1xi32>
    %930 = tt.broadcast %929 : tensor<1x2x1x1x1x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %931 = arith.cmpi ne, %930, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %932 = arith.cmpi sgt, %920, %927 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %933 = arith.cmpi ne, %932, %931 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %934 = arith.select %933, %927, %920 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %935 = tt.reshape %934 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %936 = tt.reshape %935 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %937 = "tt.reduce"(%936) <{axis = 2 : i32}> ({
    ^bb0(%938: i32, %939: i32):
      %940 = arith.xori %938, %939 : i32
      tt.reduce.return %940 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %941 = tt.expand_dims %937 {axis = 2 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x1x2x2x2x2x2x2x2xi32>
    %942 = tt.broadcast %941 : tensor<2x2x1x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %943 = arith.xori %936, %942 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %944 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %945 = tt.reshape %944 : tensor<2xi32> -> tensor<1x1x2x1x1x1x1x1x1x1xi32>
    %946 = tt.broadcast %945 : tensor<1x1x2x1x1x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %947 = arith.cmpi ne, %946, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %948 = arith.cmpi sgt, %936, %943 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %949 = arith.cmpi ne, %948, %947 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %950 = arith.select %949, %943, %936 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %951 = tt.reshape %950 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %952 = tt.reshape %951 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %953 = "tt.reduce"(%952) <{axis = 3 : i32}> ({
    ^bb0(%954: i32, %955: i32):
      %956 = arith.xori %954, %955 : i32
      tt.reduce.return %956 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %957 = tt.expand_dims %953 {axis = 3 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x1x2x2x2x2x2x2xi32>
    %958 = tt.broadcast %957 : tensor<2x2x2x1x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %959 = arith.xori %952, %958 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %960 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %961 = tt.reshape %960 : tensor<2xi32> -> tensor<1x1x1x2x1x1x1x1x1x1xi32>
    %962 = tt.broadcast %961 : tensor<1x1x1x2x1x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %963 = arith.cmpi ne, %962, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %964 = arith.cmpi sgt, %952, %959 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %965 = arith.cmpi ne, %964, %963 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %966 = arith.select %965, %959, %952 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %967 = tt.reshape %966 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %968 = tt.reshape %967 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %969 = "tt.reduce"(%968) <{axis = 4 : i32}> ({
    ^bb0(%970: i32, %971: i32):
      %972 = arith.xori %970, %971 : i32
      tt.reduce.return %972 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %973 = tt.expand_dims %969 {axis = 4 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x1x2x2x2x2x2xi32>
    %974 = tt.broadcast %973 : tensor<2x2x2x2x1x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %975 = arith.xori %968, %974 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %976 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %977 = tt.reshape %976 : tensor<2xi32> -> tensor<1x1x1x1x2x1x1x1x1x1xi32>
    %978 = tt.broadcast %977 : tensor<1x1x1x1x2x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %979 = arith.cmpi ne, %978, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %980 = arith.cmpi sgt, %968, %975 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %981 = arith.cmpi ne, %980, %979 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %982 = arith.select %981, %975, %968 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %983 = tt.reshape %982 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %984 = tt.reshape %983 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %985 = "tt.reduce"(%984) <{axis = 5 : i32}> ({
    ^bb0(%986: i32, %987: i32):
      %988 = arith.xori %986, %987 : i32
      tt.reduce.return %988 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %989 = tt.expand_dims %985 {axis = 5 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x1x2x2x2x2xi32>
    %990 = tt.broadcast %989 : tensor<2x2x2x2x2x1x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %991 = arith.xori %984, %990 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %992 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %993 = tt.reshape %992 : tensor<2xi32> -> tensor<1x1x1x1x1x2x1x1x1x1xi32>
    %994 = tt.broadcast %993 : tensor<1x1x1x1x1x2x1x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %995 = arith.cmpi ne, %994, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %996 = arith.cmpi sgt, %984, %991 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %997 = arith.cmpi ne, %996, %995 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %998 = arith.select %997, %991, %984 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %999 = tt.reshape %998 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %1000 = tt.reshape %999 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %1001 = "tt.reduce"(%1000) <{axis = 6 : i32}> ({
    ^bb0(%1002: i32, %1003: i32):
      %1004 = arith.xori %1002, %1003 : i32
      tt.reduce.return %1004 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %1005 = tt.expand_dims %1001 {axis = 6 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x1x2x2x2xi32>
    %1006 = tt.broadcast %1005 : tensor<2x2x2x2x2x2x1x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %1007 = arith.xori %1000, %1006 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %1008 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %1009 = tt.reshape %1008 : tensor<2xi32> -> tensor<1x1x1x1x1x1x2x1x1x1xi32>
    %1010 = tt.broadcast %1009 : tensor<1x1x1x1x1x1x2x1x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %1011 = arith.cmpi ne, %1010, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %1012 = arith.cmpi sgt, %1000, %1007 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %1013 = arith.cmpi ne, %1012, %1011 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %1014 = arith.select %1013, %1007, %1000 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %1015 = tt.reshape %1014 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %1016 = tt.reshape %1015 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %1017 = "tt.reduce"(%1016) <{axis = 7 : i32}> ({
    ^bb0(%1018: i32, %1019: i32):
      %1020 = arith.xori %1018, %1019 : i32
      tt.reduce.return %1020 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %1021 = tt.expand_dims %1017 {axis = 7 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x1x2x2xi32>
    %1022 = tt.broadcast %1021 : tensor<2x2x2x2x2x2x2x1x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %1023 = arith.xori %1016, %1022 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %1024 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %1025 = tt.reshape %1024 : tensor<2xi32> -> tensor<1x1x1x1x1x1x1x2x1x1xi32>
    %1026 = tt.broadcast %1025 : tensor<1x1x1x1x1x1x1x2x1x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %1027 = arith.cmpi ne, %1026, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %1028 = arith.cmpi sgt, %1016, %1023 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %1029 = arith.cmpi ne, %1028, %1027 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %1030 = arith.select %1029, %1023, %1016 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %1031 = tt.reshape %1030 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %1032 = tt.reshape %1031 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %1033 = "tt.reduce"(%1032) <{axis = 8 : i32}> ({
    ^bb0(%1034: i32, %1035: i32):
      %1036 = arith.xori %1034, %1035 : i32
      tt.reduce.return %1036 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %1037 = tt.expand_dims %1033 {axis = 8 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x1x2xi32>
    %1038 = tt.broadcast %1037 : tensor<2x2x2x2x2x2x2x2x1x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %1039 = arith.xori %1032, %1038 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %1040 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %1041 = tt.reshape %1040 : tensor<2xi32> -> tensor<1x1x1x1x1x1x1x1x2x1xi32>
    %1042 = tt.broadcast %1041 : tensor<1x1x1x1x1x1x1x1x2x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %1043 = arith.cmpi ne, %1042, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %1044 = arith.cmpi sgt, %1032, %1039 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %1045 = arith.cmpi ne, %1044, %1043 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %1046 = arith.select %1045, %1039, %1032 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %1047 = tt.reshape %1046 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %1048 = tt.reshape %1047 : tensor<1024xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %1049 = "tt.reduce"(%1048) <{axis = 9 : i32}> ({
    ^bb0(%1050: i32, %1051: i32):
      %1052 = arith.xori %1050, %1051 : i32
      tt.reduce.return %1052 : i32
    }) : (tensor<2x2x2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2x2x2xi32>
    %1053 = tt.expand_dims %1049 {axis = 9 : i32} : tensor<2x2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x1xi32>
    %1054 = tt.broadcast %1053 : tensor<2x2x2x2x2x2x2x2x2x1xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %1055 = arith.xori %1048, %1054 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %1056 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %1057 = tt.reshape %1056 : tensor<2xi32> -> tensor<1x1x1x1x1x1x1x1x1x2xi32>
    %1058 = tt.broadcast %1057 : tensor<1x1x1x1x1x1x1x1x1x2xi32> -> tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %1059 = arith.cmpi ne, %1058, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %1060 = arith.cmpi sgt, %1048, %1055 : tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %1061 = arith.cmpi ne, %1060, %1059 : tensor<2x2x2x2x2x2x2x2x2x2xi1>
    %1062 = arith.select %1061, %1055, %1048 : tensor<2x2x2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2x2x2xi32>
    %1063 = tt.reshape %1062 : tensor<2x2x2x2x2x2x2x2x2x2xi32> -> tensor<1024xi32>
    %1064 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<1024x!tt.ptr<i32>>
    %1065 = tt.addptr %1064, %0 : tensor<1024x!tt.ptr<i32>>, tensor<1024xi32>
    tt.store %1065, %1063 : tensor<1024x!tt.ptr<i32>>
    tt.return
  }
}
