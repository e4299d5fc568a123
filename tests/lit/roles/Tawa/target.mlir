// The attribute prints as it is read, in any order of its limits.
// RUN: tawa-opt %s -split-input-file | tawa-opt -split-input-file | FileCheck %s

// CHECK: #tawa.target<"sm_90a", shared_per_block = 1024, registers_per_multiprocessor = 2, registers_per_thread = 3, threads_per_multiprocessor = 4, ctas_per_multiprocessor = 5, l2 = 6, tensor_16bit = 7, bytes_under_way = 8, busy_load_latency = 9>
module attributes {tawa.target = #tawa.target<"sm_90a", l2 = 6, shared_per_block = 1024, registers_per_multiprocessor = 2,
    registers_per_thread = 3, threads_per_multiprocessor = 4, ctas_per_multiprocessor = 5, tensor_16bit = 7, bytes_under_way = 8,
    busy_load_latency = 9>} {
}

// -----

// Another architecture can be named: whether there is code for it is asked when code is made.
// CHECK: #tawa.target<"sm_100a"
module attributes {tawa.target = #tawa.target<"sm_100a", l2 = 6, shared_per_block = 1024, registers_per_multiprocessor = 2,
    registers_per_thread = 3, threads_per_multiprocessor = 4, ctas_per_multiprocessor = 5, tensor_16bit = 7, bytes_under_way = 8,
    busy_load_latency = 9>} {
}
