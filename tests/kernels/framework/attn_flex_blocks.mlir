// Flex attention: key blocks named by a list in memory, full blocks and partial ones in two loops, a position-dependent score.
// run: grid=2,2,1 config="warps=4" args=f16[2,128,64] f16[2,128,64] f16[2,128,64] f32[2,128] f16[2,128,64] i32[2]=1 i32[2,2]=0 i32[2]=1 i32[2,2]=1
module {
  tt.func public @attn_flex_blocks(%Q: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %K: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %V: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %LSE: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %O: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %KV_NUM: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %KV_IDX: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %FULL_NUM: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %FULL_IDX: !tt.ptr<i32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c0 = arith.constant 64 : i32
    %c1 = arith.constant 8192 : i32
    %c2 = arith.constant dense<64> : tensor<64x1xi32>
    %c3 = arith.constant dense<0xFF800000> : tensor<64xf32>
    %c4 = arith.constant dense<0.000000e+00> : tensor<64xf32>
    %c5 = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %c6 = arith.constant 2 : i32
    %c7 = arith.constant 0 : i32
    %c8 = arith.constant 1 : i32
    %c9 = arith.constant 32 : i32
    %c10 = arith.constant dense<64> : tensor<1x32xi32>
    %c11 = arith.constant dense<0.000000e+00> : tensor<64x32xf32>
    %c12 = arith.constant dense<1.250000e-01> : tensor<64x32xf32>
    %c13 = arith.constant dense<1.000000e-02> : tensor<64x32xf32>
    %c14 = arith.constant dense<0> : tensor<64x32xi32>
    %c15 = arith.constant dense<0xFF800000> : tensor<64x32xf32>
    %c16 = arith.constant dense<1.442695e+00> : tensor<64x32xf32>
    %c17 = arith.constant dense<64> : tensor<32x1xi32>
    %c18 = arith.constant dense<1.000000e+00> : tensor<64xf32>
    %c19 = arith.constant 128 : i32
    %v1 = tt.get_program_id x : i32
    %v2 = tt.get_program_id y : i32
    %v3 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %v4 = arith.muli %v1, %c0 : i32
    %v5 = tt.splat %v4 : i32 -> tensor<64xi32>
    %v6 = arith.addi %v3, %v5 : tensor<64xi32>
    %v7 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %v8 = arith.muli %v2, %c1 : i32
    %v9 = tt.addptr %Q, %v8 : !tt.ptr<f16>, i32
    %v10 = tt.expand_dims %v7 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %v11 = tt.expand_dims %v6 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %v12 = arith.muli %v11, %c2 : tensor<64x1xi32>
    %v13 = tt.broadcast %v10 : tensor<1x64xi32> -> tensor<64x64xi32>
    %v14 = tt.broadcast %v12 : tensor<64x1xi32> -> tensor<64x64xi32>
    %v15 = arith.addi %v13, %v14 : tensor<64x64xi32>
    %v16 = tt.splat %v9 : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
    %v17 = tt.addptr %v16, %v15 : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
    %v18 = tt.load %v17 : tensor<64x64x!tt.ptr<f16>>
    %v19 = tt.addptr %KV_NUM, %v1 : !tt.ptr<i32>, i32
    %v20 = tt.load %v19 : !tt.ptr<i32>
    %v21 = arith.muli %v20, %c6 : i32
    %v26:3 = scf.for %v22 = %c7 to %v21 step %c8 iter_args(%v23 = %c3, %v24 = %c4, %v25 = %c5) -> (tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>)  : i32 {
      %v27 = arith.muli %v1, %c6 : i32
      %v28 = tt.addptr %KV_IDX, %v27 : !tt.ptr<i32>, i32
      %v29 = arith.divsi %v22, %c6 : i32
      %v30 = tt.addptr %v28, %v29 : !tt.ptr<i32>, i32
      %v31 = tt.load %v30 : !tt.ptr<i32>
      %v32 = arith.muli %v31, %c0 : i32
      %v33 = arith.remsi %v22, %c6 : i32
      %v34 = arith.muli %v33, %c9 : i32
      %v35 = arith.addi %v32, %v34 : i32
      %v36 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
      %v37 = tt.splat %v35 : i32 -> tensor<32xi32>
      %v38 = arith.addi %v36, %v37 : tensor<32xi32>
      %v39 = tt.addptr %K, %v8 : !tt.ptr<f16>, i32
      %v40 = tt.expand_dims %v7 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %v41 = tt.expand_dims %v38 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %v42 = arith.muli %v41, %c10 : tensor<1x32xi32>
      %v43 = tt.broadcast %v40 : tensor<64x1xi32> -> tensor<64x32xi32>
      %v44 = tt.broadcast %v42 : tensor<1x32xi32> -> tensor<64x32xi32>
      %v45 = arith.addi %v43, %v44 : tensor<64x32xi32>
      %v46 = tt.splat %v39 : !tt.ptr<f16> -> tensor<64x32x!tt.ptr<f16>>
      %v47 = tt.addptr %v46, %v45 : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
      %v48 = tt.load %v47 : tensor<64x32x!tt.ptr<f16>>
      %v49 = tt.dot %v18, %v48, %c11, inputPrecision = tf32 : tensor<64x64xf16> * tensor<64x32xf16> -> tensor<64x32xf32>
      %v50 = arith.mulf %v49, %c12 : tensor<64x32xf32>
      %v51 = tt.expand_dims %v6 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %v52 = tt.expand_dims %v38 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %v53 = tt.broadcast %v51 : tensor<64x1xi32> -> tensor<64x32xi32>
      %v54 = tt.broadcast %v52 : tensor<1x32xi32> -> tensor<64x32xi32>
      %v55 = arith.subi %v53, %v54 : tensor<64x32xi32>
      %v56 = arith.sitofp %v55 : tensor<64x32xi32> to tensor<64x32xf32>
      %v57 = arith.mulf %v56, %c13 : tensor<64x32xf32>
      %v58 = arith.addf %v50, %v57 : tensor<64x32xf32>
      %v59 = arith.cmpi sge, %v55, %c14 : tensor<64x32xi32>
      %v60 = arith.select %v59, %v58, %c15 : tensor<64x32xi1>, tensor<64x32xf32>
      %v61 = arith.mulf %v60, %c16 : tensor<64x32xf32>
      %v62 = "tt.reduce"(%v61) <{axis = 1 : i32}> ({
      ^bb0(%v63: f32, %v64: f32):
        %v65 = arith.maxnumf %v63, %v64 : f32
        tt.reduce.return %v65 : f32
      }) : (tensor<64x32xf32>) -> tensor<64xf32>
      %v66 = arith.maxnumf %v23, %v62 : tensor<64xf32>
      %v67 = arith.cmpf oeq, %v66, %c3 : tensor<64xf32>
      %v68 = arith.select %v67, %c4, %v66 : tensor<64xi1>, tensor<64xf32>
      %v69 = arith.subf %v23, %v68 : tensor<64xf32>
      %v70 = math.exp2 %v69 : tensor<64xf32>
      %v71 = tt.expand_dims %v68 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %v72 = tt.broadcast %v71 : tensor<64x1xf32> -> tensor<64x32xf32>
      %v73 = arith.subf %v61, %v72 : tensor<64x32xf32>
      %v74 = math.exp2 %v73 : tensor<64x32xf32>
      %v75 = arith.mulf %v24, %v70 : tensor<64xf32>
      %v76 = "tt.reduce"(%v74) <{axis = 1 : i32}> ({
      ^bb0(%v77: f32, %v78: f32):
        %v79 = arith.addf %v77, %v78 : f32
        tt.reduce.return %v79 : f32
      }) : (tensor<64x32xf32>) -> tensor<64xf32>
      %v80 = arith.addf %v75, %v76 : tensor<64xf32>
      %v81 = tt.addptr %V, %v8 : !tt.ptr<f16>, i32
      %v82 = tt.expand_dims %v7 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %v83 = tt.expand_dims %v38 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %v84 = arith.muli %v83, %c17 : tensor<32x1xi32>
      %v85 = tt.broadcast %v82 : tensor<1x64xi32> -> tensor<32x64xi32>
      %v86 = tt.broadcast %v84 : tensor<32x1xi32> -> tensor<32x64xi32>
      %v87 = arith.addi %v85, %v86 : tensor<32x64xi32>
      %v88 = tt.splat %v81 : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>>
      %v89 = tt.addptr %v88, %v87 : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
      %v90 = tt.load %v89 : tensor<32x64x!tt.ptr<f16>>
      %v91 = arith.truncf %v74 : tensor<64x32xf32> to tensor<64x32xf16>
      %v92 = tt.expand_dims %v70 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %v93 = tt.broadcast %v92 : tensor<64x1xf32> -> tensor<64x64xf32>
      %v94 = arith.mulf %v25, %v93 : tensor<64x64xf32>
      %v95 = tt.dot %v91, %v90, %v94, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
      scf.yield %v66, %v80, %v95 : tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>
    }
    %v96 = tt.addptr %FULL_NUM, %v1 : !tt.ptr<i32>, i32
    %v97 = tt.load %v96 : !tt.ptr<i32>
    %v98 = arith.muli %v97, %c6 : i32
    %v103:3 = scf.for %v99 = %c7 to %v98 step %c8 iter_args(%v100 = %v26#0, %v101 = %v26#1, %v102 = %v26#2) -> (tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>)  : i32 {
      %v104 = arith.muli %v1, %c6 : i32
      %v105 = tt.addptr %FULL_IDX, %v104 : !tt.ptr<i32>, i32
      %v106 = arith.divsi %v99, %c6 : i32
      %v107 = tt.addptr %v105, %v106 : !tt.ptr<i32>, i32
      %v108 = tt.load %v107 : !tt.ptr<i32>
      %v109 = arith.muli %v108, %c0 : i32
      %v110 = arith.remsi %v99, %c6 : i32
      %v111 = arith.muli %v110, %c9 : i32
      %v112 = arith.addi %v109, %v111 : i32
      %v113 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
      %v114 = tt.splat %v112 : i32 -> tensor<32xi32>
      %v115 = arith.addi %v113, %v114 : tensor<32xi32>
      %v116 = tt.addptr %K, %v8 : !tt.ptr<f16>, i32
      %v117 = tt.expand_dims %v7 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %v118 = tt.expand_dims %v115 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %v119 = arith.muli %v118, %c10 : tensor<1x32xi32>
      %v120 = tt.broadcast %v117 : tensor<64x1xi32> -> tensor<64x32xi32>
      %v121 = tt.broadcast %v119 : tensor<1x32xi32> -> tensor<64x32xi32>
      %v122 = arith.addi %v120, %v121 : tensor<64x32xi32>
      %v123 = tt.splat %v116 : !tt.ptr<f16> -> tensor<64x32x!tt.ptr<f16>>
      %v124 = tt.addptr %v123, %v122 : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
      %v125 = tt.load %v124 : tensor<64x32x!tt.ptr<f16>>
      %v126 = tt.dot %v18, %v125, %c11, inputPrecision = tf32 : tensor<64x64xf16> * tensor<64x32xf16> -> tensor<64x32xf32>
      %v127 = arith.mulf %v126, %c12 : tensor<64x32xf32>
      %v128 = tt.expand_dims %v6 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %v129 = tt.expand_dims %v115 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %v130 = tt.broadcast %v128 : tensor<64x1xi32> -> tensor<64x32xi32>
      %v131 = tt.broadcast %v129 : tensor<1x32xi32> -> tensor<64x32xi32>
      %v132 = arith.subi %v130, %v131 : tensor<64x32xi32>
      %v133 = arith.sitofp %v132 : tensor<64x32xi32> to tensor<64x32xf32>
      %v134 = arith.mulf %v133, %c13 : tensor<64x32xf32>
      %v135 = arith.addf %v127, %v134 : tensor<64x32xf32>
      %v136 = arith.mulf %v135, %c16 : tensor<64x32xf32>
      %v137 = "tt.reduce"(%v136) <{axis = 1 : i32}> ({
      ^bb0(%v138: f32, %v139: f32):
        %v140 = arith.maxnumf %v138, %v139 : f32
        tt.reduce.return %v140 : f32
      }) : (tensor<64x32xf32>) -> tensor<64xf32>
      %v141 = arith.maxnumf %v100, %v137 : tensor<64xf32>
      %v142 = arith.cmpf oeq, %v141, %c3 : tensor<64xf32>
      %v143 = arith.select %v142, %c4, %v141 : tensor<64xi1>, tensor<64xf32>
      %v144 = arith.subf %v100, %v143 : tensor<64xf32>
      %v145 = math.exp2 %v144 : tensor<64xf32>
      %v146 = tt.expand_dims %v143 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %v147 = tt.broadcast %v146 : tensor<64x1xf32> -> tensor<64x32xf32>
      %v148 = arith.subf %v136, %v147 : tensor<64x32xf32>
      %v149 = math.exp2 %v148 : tensor<64x32xf32>
      %v150 = arith.mulf %v101, %v145 : tensor<64xf32>
      %v151 = "tt.reduce"(%v149) <{axis = 1 : i32}> ({
      ^bb0(%v152: f32, %v153: f32):
        %v154 = arith.addf %v152, %v153 : f32
        tt.reduce.return %v154 : f32
      }) : (tensor<64x32xf32>) -> tensor<64xf32>
      %v155 = arith.addf %v150, %v151 : tensor<64xf32>
      %v156 = tt.addptr %V, %v8 : !tt.ptr<f16>, i32
      %v157 = tt.expand_dims %v7 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %v158 = tt.expand_dims %v115 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %v159 = arith.muli %v158, %c17 : tensor<32x1xi32>
      %v160 = tt.broadcast %v157 : tensor<1x64xi32> -> tensor<32x64xi32>
      %v161 = tt.broadcast %v159 : tensor<32x1xi32> -> tensor<32x64xi32>
      %v162 = arith.addi %v160, %v161 : tensor<32x64xi32>
      %v163 = tt.splat %v156 : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>>
      %v164 = tt.addptr %v163, %v162 : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
      %v165 = tt.load %v164 : tensor<32x64x!tt.ptr<f16>>
      %v166 = arith.truncf %v149 : tensor<64x32xf32> to tensor<64x32xf16>
      %v167 = tt.expand_dims %v145 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %v168 = tt.broadcast %v167 : tensor<64x1xf32> -> tensor<64x64xf32>
      %v169 = arith.mulf %v102, %v168 : tensor<64x64xf32>
      %v170 = tt.dot %v166, %v165, %v169, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
      scf.yield %v141, %v155, %v170 : tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>
    }
    %v171 = arith.cmpf oeq, %v103#1, %c4 : tensor<64xf32>
    %v172 = arith.select %v171, %c18, %v103#1 : tensor<64xi1>, tensor<64xf32>
    %v173 = tt.addptr %O, %v8 : !tt.ptr<f16>, i32
    %v174 = tt.expand_dims %v7 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %v175 = tt.expand_dims %v6 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %v176 = arith.muli %v175, %c2 : tensor<64x1xi32>
    %v177 = tt.broadcast %v174 : tensor<1x64xi32> -> tensor<64x64xi32>
    %v178 = tt.broadcast %v176 : tensor<64x1xi32> -> tensor<64x64xi32>
    %v179 = arith.addi %v177, %v178 : tensor<64x64xi32>
    %v180 = tt.splat %v173 : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
    %v181 = tt.addptr %v180, %v179 : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
    %v182 = tt.expand_dims %v172 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
    %v183 = tt.broadcast %v182 : tensor<64x1xf32> -> tensor<64x64xf32>
    %v184 = arith.divf %v103#2, %v183 : tensor<64x64xf32>
    %v185 = arith.truncf %v184 : tensor<64x64xf32> to tensor<64x64xf16>
    tt.store %v181, %v185 : tensor<64x64x!tt.ptr<f16>>
    %v186 = arith.muli %v2, %c19 : i32
    %v187 = tt.addptr %LSE, %v186 : !tt.ptr<f32>, i32
    %v188 = tt.splat %v187 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %v189 = tt.addptr %v188, %v6 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %v190 = math.log2 %v172 : tensor<64xf32>
    %v191 = arith.addf %v103#0, %v190 : tensor<64xf32>
    tt.store %v189, %v191 : tensor<64x!tt.ptr<f32>>
    tt.return
  }
}
