#include "runtime/mesh/Machine.h"

#include <algorithm>

namespace tawa::mesh {

int64_t Machine::cores() const {
  int64_t count = 1;
  for (int dim : coreDims)
    count *= dims[dim].size;
  return count;
}

int Machine::localMemory() const {
  auto found = std::ranges::find(memories, coreDims, &Memory::dims);
  return found == memories.end() ? -1 : static_cast<int>(found - memories.begin());
}

int Machine::globalMemory() const {
  int largest = -1;
  for (int i = 0; i < static_cast<int>(memories.size()); ++i)
    if (i != localMemory() && (largest < 0 || memories[i].bytes > memories[largest].bytes))
      largest = i;
  return largest;
}

} // namespace tawa::mesh
