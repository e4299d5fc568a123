#include "compiler/planner/metalium/DataflowCode.h"

#include <algorithm>

namespace tawa::metalium {
namespace {

using mesh::Affine;
using mesh::Coordinate;
using mesh::Destination;

/// The kernels' function that reads a block. What lies outside of the tensor reads as zero.
const char *const kReadBlock = R"(
/// Reads the pages of a block that lie in the tensor and clears the others. `base` is the page of the batch, or negative
/// where that is outside.
template <int32_t rows, int32_t columns, int32_t tensor_rows, int32_t tensor_columns, uint32_t page_bytes, typename Tensor>
inline void read_block(const Tensor& tensor, uint32_t to, int32_t base, int32_t row, int32_t column) {
  for (int32_t r = row; r < row + rows; ++r) {
    for (int32_t c = column; c < column + columns; ++c, to += page_bytes) {
      if (base >= 0 && r >= 0 && r < tensor_rows && c >= 0 && c < tensor_columns) {
        noc_async_read_page(static_cast<uint32_t>(base + r * tensor_columns + c), tensor, to);
      } else {
        volatile tt_l1_ptr uint32_t* words = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(to);
        for (uint32_t i = 0; i < page_bytes / sizeof(uint32_t); ++i) {
          words[i] = 0;
        }
        while (words[page_bytes / sizeof(uint32_t) - 1] != 0) { // stores are in memory before the network reads it
        }
      }
    }
  }
}
)";

const char *const kWriteBlock = R"(
/// Writes the pages of a block that lie in the tensor. `base` is the page of the batch, or negative where that is outside.
template <int32_t rows, int32_t columns, int32_t tensor_rows, int32_t tensor_columns, uint32_t page_bytes, typename Tensor>
inline void write_block(const Tensor& tensor, uint32_t from, int32_t base, int32_t row, int32_t column) {
  for (int32_t r = row; r < row + rows; ++r) {
    for (int32_t c = column; c < column + columns; ++c, from += page_bytes) {
      if (base >= 0 && r >= 0 && r < tensor_rows && c >= 0 && c < tensor_columns) {
        noc_async_write_page(static_cast<uint32_t>(base + r * tensor_columns + c), tensor, from);
      }
    }
  }
}
)";

/// Ones in the first row of each face of 16 x 16, where reductions take their factors from; two bf16 are a word.
const char *const kMakeScaler = R"(
inline void make_scaler(uint32_t cb) {
  cb_reserve_back(cb, 1);
  volatile tt_l1_ptr uint32_t* words = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_write_ptr(cb));
  for (uint32_t i = 0; i < 512; ++i) {
    words[i] = i % 128 < 8 ? 0x3f803f80 : 0;
  }
  while (words[511] != 0) { // stores are in memory before the units read it
  }
  cb_push_back(cb, 1);
}
)";

/// Sums of multiples of an element's place in its page of four faces of 16 x 16.
const char *const kMakePlaces = R"(
inline void make_places(uint32_t cb, int32_t lower, int32_t right, int32_t row, int32_t column) {
  cb_reserve_back(cb, 1);
  volatile tt_l1_ptr float* elements = reinterpret_cast<volatile tt_l1_ptr float*>(get_write_ptr(cb));
  for (int32_t i = 0; i < 1024; ++i) {
    elements[i] = static_cast<float>(i / 512 * lower + i / 256 % 2 * right + i / 16 % 16 * row + i % 16 * column);
  }
  while (elements[1023] != static_cast<float>(lower + right + 15 * (row + column))) { // as for the scaler
  }
  cb_push_back(cb, 1);
}
)";

/// Prints one thread. The body comes first: what it names decides what stands before it.
class DataflowPrinter {
public:
  DataflowPrinter(const mesh::CoreProgram &program, mesh::Thread thread, const Paging &paging)
      : program(program), thread(thread), paging(paging), variables(program) {}

  KernelCode print() {
    if (thread == mesh::Thread::Reader && paging.scaler >= 0)
      code.line("make_scaler(" + useBuffer(paging.scaler) + ");");
    if (thread == mesh::Thread::Reader)
      for (const auto &[multiples, buffer] : paging.places)
        code.line("make_places(" + useBuffer(buffer) + ", " + std::to_string(multiples.lower) + ", " +
                  std::to_string(multiples.right) + ", " + std::to_string(multiples.row) + ", " +
                  std::to_string(multiples.column) + ");");
    list(program.threads[static_cast<int>(thread)]);
    if (signalsCores)
      code.line("noc_async_atomic_barrier();");
    KernelCode made;
    made.arguments = collectArguments();
    made.text = head(made.arguments) + code.str() + "}\n";
    return made;
  }

private:
  void list(const std::vector<mesh::Operation> &body) {
    for (const mesh::Operation &operation : body)
      std::visit([&](const auto &what) { print(what); }, operation.what);
  }

  void print(const mesh::Loop &loop) {
    enterLoop(code, variables, loop);
    list(loop.body);
    code.close();
    variables.leave(loop.variable);
  }
  void print(const mesh::If &branch) {
    code.open("if (" + variables.str(branch.guards) + ")");
    list(branch.body);
    code.close();
  }

  void print(const mesh::Turn &turn) { metalium::print(code, variables, turn); }

  void print(const mesh::BufferStep &step) {
    code.line(std::string(functionOf(step.kind)) + "(" + useBuffer(step.buffer) + ", " +
              scaled(paging.buffers[step.buffer].pages(), variables.str(step.tiles)) + ");");
  }

  void print(const mesh::Read &read) {
    if (!read.guards.empty())
      code.open("if (" + variables.str(read.guards) + ")");
    code.line("// " + mesh::str({read}, program));
    transfer("read_block", read.access, "get_write_ptr", read.buffer, read.slot);
    if (!read.guards.empty())
      code.close();
  }
  void print(const mesh::Write &write) {
    code.line("// " + mesh::str({write}, program));
    transfer("write_block", write.access, "get_read_ptr", write.buffer, write.slot);
  }

  void transfer(const char *function, const mesh::TileAccess &access, const char *pointer, int buffer,
                const Affine &slot) {
    PagedTensor tensor = paging.tensor(access.tensor);
    PagedBlock block = paging.block(access);
    code.line(std::string(function) + "<" + std::to_string(block.rows) + ", " + std::to_string(block.columns) + ", " +
              std::to_string(tensor.rows) + ", " + std::to_string(tensor.columns) + ", " +
              std::to_string(tensor.pageBytes) + ">(" + useTensor(access.tensor) + ", " +
              address(pointer, buffer, slot) + ", " + base(tensor, block) + ", " + variables.str(block.row) + ", " +
              variables.str(block.column) + ");");
  }

  /// The first page of the batch, or -1 where it is outside.
  std::string base(const PagedTensor &tensor, const PagedBlock &block) {
    if (block.batch.empty())
      return "0";
    std::string inside, page = "0";
    for (size_t i = 0; i < block.batch.size(); ++i) {
      inside += (i ? " && " : "") + variables.str(mesh::Guard{block.batch[i], tensor.batch[i], false});
      page = plus(scaled(tensor.batch[i], page), variables.str(block.batch[i]));
    }
    return "(" + inside + ") ? " + scaled(tensor.rows * tensor.columns, page) + " : -1";
  }

  void print(const mesh::Forward &forward) {
    std::string bytes = std::to_string(paging.buffers[forward.buffer].blockBytes());
    std::string from = address("get_write_ptr", forward.buffer, forward.slot);
    if (forward.to.reach == Destination::Reach::Line)
      code.line("noc_async_write_multicast(" + from + ", " + nocAddress(forward.to, from) + ", " + bytes + ", " +
                others(forward.to) + ");");
    else
      code.line("noc_async_write(" + from + ", " + nocAddress(forward.to, from) + ", " + bytes + ");");
  }

  void print(const mesh::Barrier &barrier) {
    code.line(barrier.kind == mesh::Barrier::Kind::Reads ? "noc_async_read_barrier();" : "noc_async_write_barrier();");
  }

  void print(const mesh::SemaphoreWait &wait) {
    std::string semaphore = useSemaphore(wait.semaphore), total = "awaited_" + semaphore;
    waited.insert(wait.semaphore);
    code.line(total + " += " + std::to_string(wait.count) + ";");
    code.line("noc_semaphore_wait_min(reinterpret_cast<volatile tt_l1_ptr uint32_t*>(" + semaphore + "), " + total +
              ");");
  }

  void print(const mesh::Signal &signal) {
    std::string semaphore = useSemaphore(signal.semaphore);
    if (signal.to.reach == Destination::Reach::Line)
      return signalLine(signal, semaphore);
    signalsCores = true;
    if (signal.to.network >= 0)
      code.line("noc_async_write_barrier();");
    code.line("noc_semaphore_inc(" + nocAddress(signal.to, semaphore) + ", 1);");
  }

  /// The core's own word of the semaphore is the source, which the previous multicast must have read. The flush also
  /// keeps what was sent before in front of the signal.
  void signalLine(const mesh::Signal &signal, const std::string &semaphore) {
    std::string total = "signalled_" + semaphore;
    signalled.insert(signal.semaphore);
    code.line("noc_async_writes_flushed();");
    code.line("noc_semaphore_set(reinterpret_cast<volatile tt_l1_ptr uint32_t*>(" + semaphore + "), ++" + total + ");");
    code.line("noc_semaphore_set_multicast(" + semaphore + ", " + nocAddress(signal.to, semaphore) + ", " +
              others(signal.to) + ");");
  }

  void print(const mesh::Compute &) {} // Of the compute thread only.

  std::string address(const std::string &pointer, int buffer, const Affine &slot) {
    return plus(pointer + "(" + useBuffer(buffer) + ")",
                scaled(paging.buffers[buffer].blockBytes(), variables.str(slot)));
  }
  std::string others(const Destination &to) { return std::to_string(program.coordinates[to.along] - 1); }

  /// The address on the network of the destination, with its coordinates as runtime arguments.
  std::string nocAddress(const Destination &to, const std::string &local) {
    auto same = [&](const Destination &other) {
      return other.reach == to.reach && other.along == to.along && other.core == to.core;
    };
    auto found = std::ranges::find_if(destinations, same);
    std::string name = "to" + std::to_string(found - destinations.begin());
    if (found == destinations.end())
      destinations.push_back(to);
    if (to.reach == Destination::Reach::Core)
      return "get_noc_addr(" + name + "_x, " + name + "_y, " + local + ")";
    return "get_noc_multicast_addr(" + name + "_first_x, " + name + "_first_y, " + name + "_last_x, " + name +
           "_last_y, " + local + ")";
  }

  std::string useBuffer(int number) {
    buffers.insert(number);
    return paging.buffers[number].name;
  }
  std::string useSemaphore(int number) {
    semaphores.insert(number);
    return "semaphore_" + identifier(program.semaphores[number]);
  }
  std::string useTensor(int number) {
    tensors.insert(number);
    return "tensor_" + identifier(program.tensors[number].name);
  }

  /// The executing core's coordinates as the host program names them, with one replaced.
  std::string hostCore(int replaced, const std::string &value) const {
    std::vector<std::string> parts;
    parts.reserve(program.coordinates.size());
    for (int i = 0; i < static_cast<int>(program.coordinates.size()); ++i)
      parts.push_back(i == replaced ? value : onHost.name(i));
    return "noc(" + joined(parts, ", ") + ")";
  }
  std::string hostCore(const Destination &to) {
    std::vector<std::string> parts;
    for (const Coordinate &coordinate : to.core) {
      std::string value = onHost.str(coordinate.affine);
      if (coordinate.divisor != 1)
        value = "floorDiv(" + value + ", " + std::to_string(coordinate.divisor) + ")";
      if (coordinate.modulus != 0)
        value = "floorMod(" + value + ", " + std::to_string(coordinate.modulus) + ")";
      parts.push_back(value);
    }
    return "noc(" + joined(parts, ", ") + ")";
  }

  KernelArguments collectArguments() {
    KernelArguments arguments;
    for (int coordinate : variables.coordinates)
      arguments.runtime.push_back({variables.name(coordinate), variables.name(coordinate)});
    for (int tensor : tensors) {
      std::string name = identifier(program.tensors[tensor].name);
      arguments.runtime.push_back({"address_" + name, "tensor_" + name + "->address()"});
      arguments.tensors.push_back(tensor);
    }
    auto add = [&](const std::string &name, const std::string &core) {
      arguments.runtime.push_back({name + "_x", core + ".x"});
      arguments.runtime.push_back({name + "_y", core + ".y"});
    };
    for (size_t i = 0; i < destinations.size(); ++i) {
      const Destination &to = destinations[i];
      std::string name = "to" + std::to_string(i);
      if (to.reach == Destination::Reach::Core) {
        add(name, hostCore(to));
      } else {
        add(name + "_first", hostCore(to.along, "0"));
        add(name + "_last", hostCore(to.along, std::to_string(program.coordinates[to.along] - 1)));
      }
    }
    for (int semaphore : semaphores)
      arguments.semaphores.push_back("semaphore_" + identifier(program.semaphores[semaphore]));
    return arguments;
  }

  std::string head(const KernelArguments &arguments) {
    CodeText text;
    text.line("// The " + std::string(threadName(thread)) + " of each core of " + program.name + ".");
    text.line("#include <cstdint>");
    text.blank();
    text.line("#include \"api/dataflow/dataflow_api.h\"");
    std::string all = text.str();
    all += code.str().find("make_scaler(") != std::string::npos ? kMakeScaler : "";
    all += code.str().find("make_places(") != std::string::npos ? kMakePlaces : "";
    all += code.str().find("read_block<") != std::string::npos ? kReadBlock : "";
    all += code.str().find("write_block<") != std::string::npos ? kWriteBlock : "";
    return all + declarations(arguments);
  }

  std::string declarations(const KernelArguments &arguments) {
    CodeText text;
    text.blank();
    text.open("void kernel_main()");
    for (int buffer : buffers)
      text.line("constexpr uint32_t " + paging.buffers[buffer].name + " = " + std::to_string(buffer) + ";");
    for (size_t i = 0; i < arguments.runtime.size(); ++i) {
      bool isCoordinate = i < variables.coordinates.size();
      std::string type = isCoordinate ? "int32_t" : "uint32_t";
      text.line("const " + type + " " + arguments.runtime[i].name + " = get_arg_val<" + type + ">(" +
                std::to_string(i) + ");");
    }
    for (size_t i = 0; i < arguments.semaphores.size(); ++i)
      text.line("const uint32_t " + arguments.semaphores[i] + " = get_semaphore(get_compile_time_arg_val(" +
                std::to_string(i) + "));");
    declareTensors(text, arguments.semaphores.size());
    for (int semaphore : waited)
      text.line("uint32_t awaited_semaphore_" + identifier(program.semaphores[semaphore]) + " = 0;");
    for (int semaphore : signalled)
      text.line("uint32_t signalled_semaphore_" + identifier(program.semaphores[semaphore]) + " = 0;");
    text.blank();
    return text.str();
  }

  void declareTensors(CodeText &text, size_t first) {
    std::string offset = std::to_string(first);
    for (int number : tensors) {
      std::string name = identifier(program.tensors[number].name);
      text.line("constexpr auto layout_" + name + " = TensorAccessorArgs<" + offset + ">();");
      text.line("const auto tensor_" + name + " = TensorAccessor(layout_" + name + ", address_" + name + ", " +
                std::to_string(paging.tensor(number).pageBytes) + ");");
      offset = "layout_" + name + ".next_compile_time_args_offset()";
    }
  }

  const mesh::CoreProgram &program;
  mesh::Thread thread;
  const Paging &paging;
  Variables variables;
  Variables onHost{program};
  CodeText code{1};
  std::set<int> buffers, semaphores, tensors, waited, signalled;
  std::vector<Destination> destinations;
  bool signalsCores = false;
};

} // namespace

KernelCode printDataflow(const mesh::CoreProgram &program, mesh::Thread thread, const Paging &paging) {
  return DataflowPrinter(program, thread, paging).print();
}

} // namespace tawa::metalium
