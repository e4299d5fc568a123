#include "compiler/planner/metalium/HostCode.h"

#include <algorithm>

namespace tawa::metalium {
namespace {

const char *formatName(ElementType type) {
  switch (type) {
  case ElementType::F16:
    return "tt::DataFormat::Float16";
  case ElementType::BF16:
    return "tt::DataFormat::Float16_b";
  default:
    return "tt::DataFormat::Float32";
  }
}

class HostPrinter {
public:
  explicit HostPrinter(const HostInput &input) : in(input), program(input.program), variables(input.program) {}

  std::string print() {
    head();
    code.line("Program create_" + identifier(program.name) + "(");
    code.open("    " + joined(parameters(), ",\n    ") + ")");
    code.line("Program program = CreateProgram();");
    code.line("const CoreRange cores(" + coreCoord("0", "0") + ", " +
              coreCoord(std::to_string(extent(in.axes.x) - 1), std::to_string(extent(in.axes.y) - 1)) + ");");
    code.blank();
    circularBuffers();
    for (const std::string &semaphore : program.semaphores)
      code.line("const uint32_t semaphore_" + identifier(semaphore) + " = CreateSemaphore(program, cores, 0);");
    code.blank();
    dataflowKernel("reader", in.reader, "RISCV_0");
    dataflowKernel("writer", in.writer, "RISCV_1");
    computeKernel();
    runtimeArguments();
    code.line("return program;");
    code.close();
    return code.str();
  }

private:
  int64_t extent(int coordinate) const { return coordinate < 0 ? 1 : program.coordinates[coordinate]; }
  static std::string coreCoord(const std::string &x, const std::string &y) { return "CoreCoord{" + x + ", " + y + "}"; }

  void head() {
    code.line("// Creates the program of all cores of " + program.name + ".");
    if (!in.scalars.empty())
      code.line("#include <bit>");
    code.line("#include <cstdint>");
    code.line("#include <memory>");
    code.line("#include <string>");
    code.line("#include <vector>");
    code.blank();
    for (const char *header : {"circular_buffer_config", "core_coord", "distributed", "host_api", "kernel_types",
                               "mesh_buffer", "tensor_accessor_args"})
      code.line("#include <tt-metalium/" + std::string(header) + ".hpp>");
    code.blank();
    code.line("using namespace tt::tt_metal;");
    code.blank();
    helpers();
    comment();
  }

  /// Only those that occur: unused functions are warnings.
  void helpers() {
    auto occurs = [&](const char *name) {
      for (const KernelArguments *arguments : {&in.reader, &in.writer})
        for (const KernelArguments::Argument &argument : arguments->runtime)
          if (argument.value.find(name) != std::string::npos)
            return true;
      return false;
    };
    if (occurs("floorDiv("))
      code.line("static int32_t floorDiv(int32_t a, int32_t b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }");
    if (occurs("floorMod("))
      code.line("static int32_t floorMod(int32_t a, int32_t b) { return (a % b + b) % b; }");
    if (occurs("floor"))
      code.blank();
  }

  void comment() {
    code.line("/// Kernels are the files of `folder`. Tensors, padded with zeros to whole pages, interleaved in DRAM:");
    for (int i = 0; i < static_cast<int>(program.tensors.size()); ++i) {
      PagedTensor tensor = in.paging.tensor(i);
      std::string batch;
      for (int64_t extent : tensor.batch)
        batch += std::to_string(extent) + " x ";
      code.line("///   " + program.tensors[i].name + ": " + batch + std::to_string(tensor.rows) + " x " +
                std::to_string(tensor.columns) + " pages of " + std::to_string(tensor.pageBytes) + " bytes" +
                (tensor.isOfRows                       ? ", 1024 elements in a row"
                 : program.tensors[i].shape.size() < 2 ? ", the first columns of tiles of 32 x 32 elements"
                                                       : ", tiles of 32 x 32 elements"));
    }
  }

  std::vector<std::string> parameters() const {
    std::vector<std::string> all{std::string("distributed::MeshDevice&") + (usesNetwork() ? " device" : ""),
                                 "const std::string& folder"};
    for (const mesh::Tensor &tensor : program.tensors)
      all.push_back("const std::shared_ptr<distributed::MeshBuffer>& tensor_" + identifier(tensor.name));
    for (const std::string &scalar : in.scalars)
      all.push_back("float " + identifier(scalar));
    return all;
  }

  void circularBuffers() {
    for (size_t i = 0; i < in.paging.buffers.size(); ++i) {
      const PagedBuffer &buffer = in.paging.buffers[i];
      std::string index = "tt::CBIndex::c_" + std::to_string(i), page = std::to_string(buffer.pageBytes());
      code.line("// " + buffer.name + ": " + std::to_string(buffer.slots) + " blocks of " +
                std::to_string(buffer.rows) + " x " + std::to_string(buffer.columns) + " pages");
      code.line("CreateCircularBuffer(program, cores,");
      code.line("    CircularBufferConfig(" + std::to_string(buffer.slots * buffer.blockBytes()) + ", {{" + index +
                ", " + formatName(buffer.type) + "}}).set_page_size(" + index + ", " + page + "));");
    }
  }

  void dataflowKernel(const std::string &name, const KernelArguments &arguments, const std::string &processor) {
    std::string vector = name + "_layouts";
    code.line("std::vector<uint32_t> " + vector + " = {" + joined(arguments.semaphores, ", ") + "};");
    for (int tensor : arguments.tensors)
      code.line("TensorAccessorArgs(*tensor_" + identifier(program.tensors[tensor].name) + ").append_to(" + vector +
                ");");
    code.line("const KernelHandle " + name + " = CreateKernel(program, folder + \"/" + name + "_kernel.cpp\", cores,");
    code.line("    DataMovementConfig{.processor = DataMovementProcessor::" + processor + ", .noc = NOC::" + processor +
              "_default, .compile_args = " + vector + "});");
    code.blank();
  }

  void computeKernel() {
    code.line("// Registers have 32-bit elements. What is copied to them from 32-bit tiles does not pass through the "
              "operands'");
    code.line("// 19-bit elements.");
    code.line("std::vector<UnpackToDestMode> unpack(NUM_CIRCULAR_BUFFERS, UnpackToDestMode::Default);");
    for (int buffer : in.unpackedTo32)
      code.line("unpack[tt::CBIndex::c_" + std::to_string(buffer) + "] = UnpackToDestMode::UnpackToDestFp32;");
    std::string handle = in.compute.runtime.empty() ? "" : "const KernelHandle compute = ";
    code.line(handle + "CreateKernel(program, folder + \"/compute_kernel.cpp\", cores,");
    code.line("    ComputeConfig{.math_fidelity = MathFidelity::HiFi4, .fp32_dest_acc_en = true, .unpack_to_dest_mode "
              "= unpack});");
    code.blank();
  }

  void runtimeArguments() {
    if (usesNetwork())
      nocFunction();
    for (int i = 0; i < static_cast<int>(program.coordinates.size()); ++i)
      code.open("for (int32_t " + variables.name(i) + " = 0; " + variables.name(i) + " < " +
                std::to_string(program.coordinates[i]) + "; ++" + variables.name(i) + ")");
    std::string core = coreCoord(axis(in.axes.x), axis(in.axes.y));
    code.line("const CoreCoord core" + core.substr(std::string("CoreCoord").size()) + ";");
    setArguments("reader", in.reader);
    setArguments("compute", in.compute);
    setArguments("writer", in.writer);
    for (size_t i = 0; i < program.coordinates.size(); ++i)
      code.close();
  }
  std::string axis(int coordinate) const {
    return coordinate < 0 ? "0" : "static_cast<size_t>(" + variables.name(coordinate) + ")";
  }

  bool usesNetwork() const {
    return std::ranges::any_of(in.reader.runtime,
                               [](const auto &argument) { return argument.value.starts_with("noc("); });
  }
  void nocFunction() {
    std::vector<std::string> names, inside;
    for (int i = 0; i < static_cast<int>(program.coordinates.size()); ++i) {
      const std::string &name = variables.name(i);
      names.push_back("int32_t " + name);
      inside.push_back(name + " >= 0 && " + name + " < " + std::to_string(program.coordinates[i]));
    }
    code.line("// The network's coordinates of a core; of none outside of the array, where nothing is sent.");
    code.open("auto noc = [&](" + joined(names, ", ") + ")");
    code.line("const bool inside = " + joined(inside, " && ") + ";");
    code.line("return inside ? device.worker_core_from_logical_core(" + coreCoord(axis(in.axes.x), axis(in.axes.y)) +
              ") : CoreCoord{0, 0};");
    code.close(";");
  }

  void setArguments(const std::string &kernel, const KernelArguments &arguments) {
    if (arguments.runtime.empty())
      return;
    std::string list = kernel + "_arguments";
    code.open("const std::vector<uint32_t> " + list + " =");
    for (const KernelArguments::Argument &argument : arguments.runtime)
      code.line("static_cast<uint32_t>(" + argument.value + "), // " + argument.name);
    code.close(";");
    code.line("SetRuntimeArgs(program, " + kernel + ", core, " + list + ");");
  }

  const HostInput &in;
  const mesh::CoreProgram &program;
  Variables variables;
  CodeText code;
};

} // namespace

LogicalAxes logicalAxes(const mesh::CoreProgram &program, Refusals &refusals) {
  int count = static_cast<int>(program.coordinates.size());
  if (count < 1 || count > 2)
    refusals.add(Refusal::Grid, std::to_string(count) + " dimensions of cores");
  auto end = program.variables.begin() + count;
  auto found = std::find(program.variables.begin(), end, "x");
  LogicalAxes axes;
  axes.x = found == end ? count - 1 : static_cast<int>(found - program.variables.begin());
  axes.y = count == 2 ? 1 - axes.x : -1;
  return axes;
}

std::string printHost(const HostInput &input) { return HostPrinter(input).print(); }

} // namespace tawa::metalium
