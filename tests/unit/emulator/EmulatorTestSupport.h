// What the emulator's tests share: kernels are C++ functions that call tawa_emu_* as generated code would, with their
// parameters in one struct.
#pragma once

#include "runtime/emulator/Emulator.h"
#include "runtime/emulator/EmulatorAbi.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <type_traits>

namespace tawa::emu::test {

using namespace tawa::emu::abi;

inline const ThreadState &state(void *thread) { return *static_cast<const ThreadState *>(thread); }

/// The bytes of a tensor map, as a kernel parameter.
struct alignas(64) MapBytes {
  uint8_t bytes[128];
  void *get() const { return const_cast<uint8_t *>(bytes); }
};

struct Launch {
  LaunchConfig config;
  std::vector<MemoryRegion> memory;
  LaunchOptions options;
  LaunchStats stats;

  explicit Launch(uint32_t threads, uint32_t sharedBytes = 0) {
    config.threads = threads;
    config.sharedBytes = sharedBytes;
  }
  template <typename T> Launch &give(T *data, size_t count, const char *name, bool writable = true) {
    memory.push_back({data, count * sizeof(T), name, writable});
    return *this;
  }
  template <typename T> Launch &give(std::vector<T> &buffer, const char *name, bool writable = true) {
    return give(buffer.data(), buffer.size(), name, writable);
  }
  template <typename Params> Status run(KernelEntry kernel, const Params &params) {
    return launch(kernel, &params, sizeof params, config, memory, options, &stats);
  }
  Status run(KernelEntry kernel) { return launch(kernel, nullptr, 0, config, memory, options, &stats); }
};

inline std::vector<Schedule> allSchedules() {
  return {Schedule::eager(), Schedule::wgmmaLate(), Schedule::lateRandom(1), Schedule::lateRandom(7)};
}

/// Store and load of one value, through the checks.
template <typename T> void storeShared(void *thread, uint32_t address, T value) {
  memcpy(tawa_emu_shared_access(thread, address, sizeof(T), 1), &value, sizeof(T));
}
template <typename T> T loadShared(void *thread, uint32_t address) {
  T value;
  memcpy(&value, tawa_emu_shared_access(thread, address, sizeof(T), 0), sizeof(T));
  return value;
}
template <typename T> void storeGlobal(void *thread, T *pointer, std::type_identity_t<T> value) {
  auto address = static_cast<uint64_t>(reinterpret_cast<uintptr_t>(pointer));
  memcpy(tawa_emu_global_access(thread, address, sizeof(T), 1), &value, sizeof(T));
}

/// A row-major matrix of `rows` x `columns`, read in boxes of boxRows x boxColumns.
template <typename T>
MapBytes mapMatrix(std::vector<T> &data, ElementType type, uint64_t rows, uint64_t columns, uint32_t boxRows,
                   uint32_t boxColumns, TensorMapRecipe::Swizzle swizzle, uint64_t rowElements = 0,
                   TensorMapRecipe::Fill fill = TensorMapRecipe::Fill::Zero) {
  TensorMapFields fields;
  fields.base = reinterpret_cast<uintptr_t>(data.data());
  fields.type = type;
  fields.rank = 2;
  fields.dims[0] = columns;
  fields.dims[1] = rows;
  fields.strides[0] = elementBytes(type);
  fields.strides[1] = (rowElements ? rowElements : columns) * elementBytes(type);
  fields.box[0] = boxColumns;
  fields.box[1] = boxRows;
  fields.swizzle = swizzle;
  fields.fill = fill;
  MapBytes map;
  encodeTensorMap(fields, map.bytes);
  return map;
}

inline void loadBox(void *thread, uint32_t destination, const MapBytes &map, uint32_t mbarrier, int32_t c0, int32_t c1,
                    uint32_t multicastMask = 0) {
  tawa_emu_tma_load(thread, destination, map.get(), mbarrier, 2, static_cast<uint32_t>(c0), static_cast<uint32_t>(c1),
                    0, 0, 0, multicastMask);
}
inline void storeBox(void *thread, const MapBytes &map, uint32_t source, int32_t c0, int32_t c1) {
  tawa_emu_tma_store(thread, map.get(), source, 2, static_cast<uint32_t>(c0), static_cast<uint32_t>(c1), 0, 0, 0);
}
inline void addBox(void *thread, const MapBytes &map, uint32_t source, int32_t c0, int32_t c1) {
  tawa_emu_tma_add(thread, map.get(), source, 2, static_cast<uint32_t>(c0), static_cast<uint32_t>(c1), 0, 0, 0);
}

inline uint32_t alignTo(uint32_t value, uint32_t alignment) { return (value + alignment - 1) / alignment * alignment; }

/// The status is ok, else its message is printed.
#define EXPECT_OK(expression)                                                                                          \
  do {                                                                                                                 \
    const ::tawa::Status &status_ = (expression);                                                                      \
    EXPECT_TRUE(status_.isOk()) << status_.message();                                                                  \
  } while (false)

/// The launch fails in the emulator and says `text`.
#define EXPECT_EMULATOR_ERROR(expression, text)                                                                        \
  do {                                                                                                                 \
    const ::tawa::Status &status_ = (expression);                                                                      \
    EXPECT_EQ(status_.code(), ::tawa::StatusCode::Emulator) << status_.message();                                      \
    EXPECT_NE(status_.message().find(text), std::string::npos) << status_.message();                                   \
  } while (false)

} // namespace tawa::emu::test
