// Max pooling's backward: a gather over the windows that may have chosen an element, with i8 offsets.
// run: grid=2,1,1 args=i8[200]=0..9 f32[200] f32[450] i32:450
module {
  tt.func public @pw_maxpool_backward(%in_ptr0: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %in_ptr1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out_ptr0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %xnumel: i32) attributes {noinline = false} {
    %c0 = arith.constant 256 : i32
    %c1 = arith.constant dense<15> : tensor<256xi32>
    %c2 = arith.constant dense<225> : tensor<256xi32>
    %c3 = arith.constant dense<1> : tensor<256xi32>
    %c4 = arith.constant dense<0> : tensor<256xi32>
    %c5 = arith.constant dense<2> : tensor<256xi32>
    %c6 = arith.constant dense<9> : tensor<256xi32>
    %c7 = arith.constant dense<10> : tensor<256xi32>
    %c8 = arith.constant dense<100> : tensor<256xi32>
    %c9 = arith.constant dense<0> : tensor<256xi8>
    %c10 = arith.constant dense<0.000000e+00> : tensor<256xf32>
    %c11 = arith.constant dense<3> : tensor<256xi32>
    %v1 = tt.get_program_id x : i32
    %v2 = arith.muli %v1, %c0 : i32
    %v3 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %v4 = tt.splat %v2 : i32 -> tensor<256xi32>
    %v5 = arith.addi %v3, %v4 : tensor<256xi32>
    %v6 = tt.splat %xnumel : i32 -> tensor<256xi32>
    %v7 = arith.cmpi slt, %v5, %v6 : tensor<256xi32>
    %v8 = arith.remsi %v5, %c1 : tensor<256xi32>
    %v9 = arith.divsi %v5, %c1 : tensor<256xi32>
    %v10 = arith.remsi %v9, %c1 : tensor<256xi32>
    %v11 = arith.divsi %v5, %c2 : tensor<256xi32>
    %v12 = arith.cmpi slt, %v10, %c3 : tensor<256xi32>
    %v13 = arith.muli %c4, %v10 : tensor<256xi32>
    %v14 = arith.subi %v10, %c3 : tensor<256xi32>
    %v15 = arith.divsi %v14, %c5 : tensor<256xi32>
    %v16 = arith.select %v12, %v13, %v15 : tensor<256xi1>, tensor<256xi32>
    %v17 = arith.maxsi %v16, %c4 : tensor<256xi32>
    %v18 = arith.cmpi slt, %v8, %c3 : tensor<256xi32>
    %v19 = arith.muli %c4, %v8 : tensor<256xi32>
    %v20 = arith.subi %v8, %c3 : tensor<256xi32>
    %v21 = arith.divsi %v20, %c5 : tensor<256xi32>
    %v22 = arith.select %v18, %v19, %v21 : tensor<256xi1>, tensor<256xi32>
    %v23 = arith.addi %v17, %c4 : tensor<256xi32>
    %v24 = arith.minsi %v23, %c6 : tensor<256xi32>
    %v25 = arith.addi %v22, %c4 : tensor<256xi32>
    %v26 = arith.minsi %v25, %c6 : tensor<256xi32>
    %v27 = arith.muli %v24, %c7 : tensor<256xi32>
    %v28 = arith.addi %v26, %v27 : tensor<256xi32>
    %v29 = arith.muli %v11, %c8 : tensor<256xi32>
    %v30 = arith.addi %v28, %v29 : tensor<256xi32>
    %v31 = tt.splat %in_ptr0 : !tt.ptr<i8> -> tensor<256x!tt.ptr<i8>>
    %v32 = tt.addptr %v31, %v30 : tensor<256x!tt.ptr<i8>>, tensor<256xi32>
    %v33 = tt.load %v32, %v7, %c9 evictionPolicy = evict_last : tensor<256x!tt.ptr<i8>>
    %v34 = arith.extsi %v33 : tensor<256xi8> to tensor<256xi32>
    %v35 = tt.splat %in_ptr1 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %v36 = tt.addptr %v35, %v30 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %v37 = tt.load %v36, %v7, %c10 evictionPolicy = evict_last : tensor<256x!tt.ptr<f32>>
    %v38 = arith.divsi %v34, %c11 : tensor<256xi32>
    %v39 = arith.muli %v24, %c5 : tensor<256xi32>
    %v40 = arith.addi %v38, %v39 : tensor<256xi32>
    %v41 = arith.subi %v40, %c3 : tensor<256xi32>
    %v42 = arith.remsi %v34, %c11 : tensor<256xi32>
    %v43 = arith.muli %v26, %c5 : tensor<256xi32>
    %v44 = arith.addi %v42, %v43 : tensor<256xi32>
    %v45 = arith.subi %v44, %c3 : tensor<256xi32>
    %v46 = arith.muli %v41, %c1 : tensor<256xi32>
    %v47 = arith.addi %v46, %v45 : tensor<256xi32>
    %v48 = arith.muli %v10, %c1 : tensor<256xi32>
    %v49 = arith.addi %v8, %v48 : tensor<256xi32>
    %v50 = arith.cmpi eq, %v47, %v49 : tensor<256xi32>
    %v51 = arith.select %v50, %v37, %c10 : tensor<256xi1>, tensor<256xf32>
    %v52 = arith.addi %v17, %c4 : tensor<256xi32>
    %v53 = arith.minsi %v52, %c6 : tensor<256xi32>
    %v54 = arith.addi %v22, %c3 : tensor<256xi32>
    %v55 = arith.minsi %v54, %c6 : tensor<256xi32>
    %v56 = arith.muli %v53, %c7 : tensor<256xi32>
    %v57 = arith.addi %v55, %v56 : tensor<256xi32>
    %v58 = arith.muli %v11, %c8 : tensor<256xi32>
    %v59 = arith.addi %v57, %v58 : tensor<256xi32>
    %v60 = tt.splat %in_ptr0 : !tt.ptr<i8> -> tensor<256x!tt.ptr<i8>>
    %v61 = tt.addptr %v60, %v59 : tensor<256x!tt.ptr<i8>>, tensor<256xi32>
    %v62 = tt.load %v61, %v7, %c9 evictionPolicy = evict_last : tensor<256x!tt.ptr<i8>>
    %v63 = arith.extsi %v62 : tensor<256xi8> to tensor<256xi32>
    %v64 = tt.splat %in_ptr1 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %v65 = tt.addptr %v64, %v59 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %v66 = tt.load %v65, %v7, %c10 evictionPolicy = evict_last : tensor<256x!tt.ptr<f32>>
    %v67 = arith.divsi %v63, %c11 : tensor<256xi32>
    %v68 = arith.muli %v53, %c5 : tensor<256xi32>
    %v69 = arith.addi %v67, %v68 : tensor<256xi32>
    %v70 = arith.subi %v69, %c3 : tensor<256xi32>
    %v71 = arith.remsi %v63, %c11 : tensor<256xi32>
    %v72 = arith.muli %v55, %c5 : tensor<256xi32>
    %v73 = arith.addi %v71, %v72 : tensor<256xi32>
    %v74 = arith.subi %v73, %c3 : tensor<256xi32>
    %v75 = arith.muli %v70, %c1 : tensor<256xi32>
    %v76 = arith.addi %v75, %v74 : tensor<256xi32>
    %v77 = arith.muli %v10, %c1 : tensor<256xi32>
    %v78 = arith.addi %v8, %v77 : tensor<256xi32>
    %v79 = arith.cmpi eq, %v76, %v78 : tensor<256xi32>
    %v80 = arith.select %v79, %v66, %c10 : tensor<256xi1>, tensor<256xf32>
    %v81 = arith.addf %v51, %v80 : tensor<256xf32>
    %v82 = arith.addi %v17, %c3 : tensor<256xi32>
    %v83 = arith.minsi %v82, %c6 : tensor<256xi32>
    %v84 = arith.addi %v22, %c4 : tensor<256xi32>
    %v85 = arith.minsi %v84, %c6 : tensor<256xi32>
    %v86 = arith.muli %v83, %c7 : tensor<256xi32>
    %v87 = arith.addi %v85, %v86 : tensor<256xi32>
    %v88 = arith.muli %v11, %c8 : tensor<256xi32>
    %v89 = arith.addi %v87, %v88 : tensor<256xi32>
    %v90 = tt.splat %in_ptr0 : !tt.ptr<i8> -> tensor<256x!tt.ptr<i8>>
    %v91 = tt.addptr %v90, %v89 : tensor<256x!tt.ptr<i8>>, tensor<256xi32>
    %v92 = tt.load %v91, %v7, %c9 evictionPolicy = evict_last : tensor<256x!tt.ptr<i8>>
    %v93 = arith.extsi %v92 : tensor<256xi8> to tensor<256xi32>
    %v94 = tt.splat %in_ptr1 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %v95 = tt.addptr %v94, %v89 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %v96 = tt.load %v95, %v7, %c10 evictionPolicy = evict_last : tensor<256x!tt.ptr<f32>>
    %v97 = arith.divsi %v93, %c11 : tensor<256xi32>
    %v98 = arith.muli %v83, %c5 : tensor<256xi32>
    %v99 = arith.addi %v97, %v98 : tensor<256xi32>
    %v100 = arith.subi %v99, %c3 : tensor<256xi32>
    %v101 = arith.remsi %v93, %c11 : tensor<256xi32>
    %v102 = arith.muli %v85, %c5 : tensor<256xi32>
    %v103 = arith.addi %v101, %v102 : tensor<256xi32>
    %v104 = arith.subi %v103, %c3 : tensor<256xi32>
    %v105 = arith.muli %v100, %c1 : tensor<256xi32>
    %v106 = arith.addi %v105, %v104 : tensor<256xi32>
    %v107 = arith.muli %v10, %c1 : tensor<256xi32>
    %v108 = arith.addi %v8, %v107 : tensor<256xi32>
    %v109 = arith.cmpi eq, %v106, %v108 : tensor<256xi32>
    %v110 = arith.select %v109, %v96, %c10 : tensor<256xi1>, tensor<256xf32>
    %v111 = arith.addf %v81, %v110 : tensor<256xf32>
    %v112 = arith.addi %v17, %c3 : tensor<256xi32>
    %v113 = arith.minsi %v112, %c6 : tensor<256xi32>
    %v114 = arith.addi %v22, %c3 : tensor<256xi32>
    %v115 = arith.minsi %v114, %c6 : tensor<256xi32>
    %v116 = arith.muli %v113, %c7 : tensor<256xi32>
    %v117 = arith.addi %v115, %v116 : tensor<256xi32>
    %v118 = arith.muli %v11, %c8 : tensor<256xi32>
    %v119 = arith.addi %v117, %v118 : tensor<256xi32>
    %v120 = tt.splat %in_ptr0 : !tt.ptr<i8> -> tensor<256x!tt.ptr<i8>>
    %v121 = tt.addptr %v120, %v119 : tensor<256x!tt.ptr<i8>>, tensor<256xi32>
    %v122 = tt.load %v121, %v7, %c9 evictionPolicy = evict_last : tensor<256x!tt.ptr<i8>>
    %v123 = arith.extsi %v122 : tensor<256xi8> to tensor<256xi32>
    %v124 = tt.splat %in_ptr1 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %v125 = tt.addptr %v124, %v119 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %v126 = tt.load %v125, %v7, %c10 evictionPolicy = evict_last : tensor<256x!tt.ptr<f32>>
    %v127 = arith.divsi %v123, %c11 : tensor<256xi32>
    %v128 = arith.muli %v113, %c5 : tensor<256xi32>
    %v129 = arith.addi %v127, %v128 : tensor<256xi32>
    %v130 = arith.subi %v129, %c3 : tensor<256xi32>
    %v131 = arith.remsi %v123, %c11 : tensor<256xi32>
    %v132 = arith.muli %v115, %c5 : tensor<256xi32>
    %v133 = arith.addi %v131, %v132 : tensor<256xi32>
    %v134 = arith.subi %v133, %c3 : tensor<256xi32>
    %v135 = arith.muli %v130, %c1 : tensor<256xi32>
    %v136 = arith.addi %v135, %v134 : tensor<256xi32>
    %v137 = arith.muli %v10, %c1 : tensor<256xi32>
    %v138 = arith.addi %v8, %v137 : tensor<256xi32>
    %v139 = arith.cmpi eq, %v136, %v138 : tensor<256xi32>
    %v140 = arith.select %v139, %v126, %c10 : tensor<256xi1>, tensor<256xf32>
    %v141 = arith.addf %v111, %v140 : tensor<256xf32>
    %v142 = tt.splat %out_ptr0 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %v143 = tt.addptr %v142, %v5 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    tt.store %v143, %v141, %v7 : tensor<256x!tt.ptr<f32>>
    tt.return
  }
}
