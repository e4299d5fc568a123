// Arguments of kernels: kernel_apis/kernel_args of docs.tenstorrent.com/tt-metal.
#pragma once

#include <cstdint>
#include <type_traits>

uint32_t get_arg_word(int arg_idx); ///< Of the model: the word itself.
template <typename T> T get_arg_val(int arg_idx) {
  uint32_t word = get_arg_word(arg_idx);
  if constexpr (std::is_same_v<T, float>)
    return __builtin_bit_cast(float, word);
  else
    return static_cast<T>(word);
}
uint32_t get_compile_time_arg_val(int arg_idx);
