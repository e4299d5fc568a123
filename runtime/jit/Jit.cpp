// Compile, load, launch: the main path through the runtime.
#include "runtime/jit/Jit.h"

#include "runtime/device/TensorMapRules.h"
#include "runtime/jit/Arguments.h"
#include "runtime/jit/Grid.h"
#include "runtime/support/PerThread.h"

#include <algorithm>
#include <atomic>

namespace tawa {

static uint64_t nextSerial() {
  static std::atomic<uint64_t> last{0};
  return ++last;
}

Kernel::Kernel(KernelArtifact artifact, std::vector<ArgumentValue> promised)
    : serial(nextSerial()), compiled(std::move(artifact)), promised(std::move(promised)) {}

/// Tensors of known shapes for which no tensor map can be made. Those that a kernel describes itself depend on scalars,
/// which are not promised.
static Status checkPromisedMaps(const KernelArtifact &artifact, std::span<const ArgumentValue> promised) {
  for (const TensorMapRecipe &recipe : artifact.tensorMaps) {
    const ArgumentValue &tensor = promised[recipe.argument];
    if (recipe.isDescribed() || tensor.rank == 0)
      continue;
    if (Status status = checkPromisedTensor(recipe, artifact.arguments[recipe.argument].name, tensor); !status)
      return status;
  }
  return Status::ok();
}

Result<std::unique_ptr<Kernel>> Kernel::build(Device &device, const CompileFunction &compile,
                                              std::vector<ArgumentValue> promised) {
  Result<KernelArtifact> artifact = compile(device.target());
  if (!artifact)
    return artifact.status();
  if (Status status = checkParams(*artifact); !status)
    return status;
  if (Status status = checkPromises(*artifact, promised); !status)
    return status;
  if (Status status = checkPromisedMaps(*artifact, promised); !status)
    return status;
  std::unique_ptr<Kernel> kernel(new Kernel(std::move(*artifact), std::move(promised)));
  Result<std::unique_ptr<LoadedKernel>> loaded = device.load(kernel->compiled);
  if (!loaded)
    return loaded.status();
  kernel->onDevice = std::move(*loaded);
  kernel->multiprocessors = std::max(device.info().multiprocessors, 1U);
  if (Status status = kernel->prime(); !status)
    return status;
  return kernel;
}

void Kernel::fallBackOn(Device &device, AsWrittenFunction compile) {
  asWritten = std::make_unique<AsWritten>();
  asWritten->make = [&device, compile = std::move(compile), promises = promised] {
    return build(device, [&](TargetKind) { return compile(); }, promises);
  };
}

Result<const Kernel *> Kernel::inPlace(const LaunchBinding &binding, const Status &why) const {
  if (binding.isCovered || !asWritten)
    return why;
  std::call_once(asWritten->once, [this] {
    Result<std::unique_ptr<Kernel>> made = asWritten->make();
    if (made)
      asWritten->kernel = std::move(*made);
    else
      asWritten->status = made.status();
  });
  if (asWritten->kernel)
    return asWritten->kernel.get();
  return Status(why.code(), why.message() + "; with the sizes in the text: " + asWritten->status.message());
}

/// Fills the initial binding of threads, where the promises permit it.
Status Kernel::prime() {
  primed.kernel = serial;
  // Tensors that a kernel describes, and grids that it walks itself, depend on scalars, and those are not promised.
  if (!compiled.launch.clusterDivides.empty() || std::any_of(compiled.tensorMaps.begin(), compiled.tensorMaps.end(),
                                                             [](const auto &map) { return map.isDescribed(); }))
    return Status::ok();
  for (const ArgumentValue &value : promised) {
    if (value.kind != LogicalArgument::Kind::Tensor)
      continue;
    auto shapeEnd = value.shape.begin() + value.rank;
    // A dimension of 0 has no tensor map; a launch with it has no CTAs and needs none.
    bool isKnown = std::all_of(value.shape.begin(), shapeEnd, [](int64_t extent) { return extent > 0; }) &&
                   std::find(value.strides.begin(), value.strides.end(), kUnknownExtent) == value.strides.end();
    if (value.address == 0 || !isKnown)
      return Status::ok();
  }
  if (Status status = updateArguments(primed, compiled, promised, promised); !status)
    return status;
  return updateTensorMaps(primed, compiled, *onDevice);
}

/// A few bindings per thread, so that alternating between kernels does not refill them each time. Created by a thread's
/// first launch; later ones allocate nothing.
LaunchBinding &Kernel::bindingOfThread() const {
  constexpr size_t kSlots = 4;
  static const PerThread<std::array<LaunchBinding, kSlots>> slots;
  LaunchBinding &binding = slots.get()[serial % kSlots];
  if (binding.kernel != serial)
    binding = primed;
  return binding;
}

static std::string otherThanDirective(const KernelArtifact &artifact, const std::array<uint32_t, 3> &asked,
                                      const std::array<uint32_t, 3> &own) {
  auto spelled = [](const std::array<uint32_t, 3> &grid) {
    return std::to_string(grid[0]) + ", " + std::to_string(grid[1]) + ", " + std::to_string(grid[2]);
  };
  return "grid of kernel '" + artifact.entry + "': " + spelled(asked) + " is asked for, and `tawa.grid " +
         artifact.gridExpression + "` is " + spelled(own) + " in the configuration that was chosen (" +
         artifact.config.str() + "); leave the grid out, or name the tile parameters in the request's config";
}

/// The grid that the caller asks for, by itself or through the text's directive.
Result<std::array<uint32_t, 3>> Kernel::askedGrid(LaunchBinding &binding, const KernelLaunch &request) const {
  if (request.grid == std::array<uint32_t, 3>{})
    return evaluateGrid(compiled, binding.arguments());
  std::array<uint32_t, 3> grid{};
  for (size_t axis = 0; axis < grid.size(); ++axis)
    grid[axis] = std::max(request.grid[axis], 1u);
  if (reckonedWith.empty() || compiled.gridExpression.empty())
    return grid;
  Result<std::array<uint32_t, 3>> own = evaluateGrid(compiled, binding.arguments());
  Result<std::array<uint32_t, 3>> reckoned = evaluateGrid(compiled, binding.arguments(), reckonedWith);
  if (!own || *own == grid || (reckoned && *reckoned == grid))
    return own;
  binding.isCovered = false;
  return Status(StatusCode::InvalidArgument, otherThanDirective(compiled, grid, *own));
}

Status Kernel::chooseGrid(LaunchBinding &binding, const KernelLaunch &request, std::array<uint32_t, 3> &grid) const {
  binding.isCovered = true;
  if (!binding.isGridKnown || binding.gridRequest != request.grid) {
    Result<std::array<uint32_t, 3>> asked = askedGrid(binding, request);
    binding.walkers = asked ? walkersOf(compiled.launch.retiled, *asked, binding.arguments()) : 0;
    if (asked && compiled.launch.retiled.isRetiled()) {
      asked = retiledGrid(compiled.launch.retiled, compiled.entry, *asked, binding.arguments());
      binding.isCovered = asked.isOk();
    }
    if (!asked)
      return asked.status();
    binding.grid = *asked;
    binding.gridRequest = request.grid;
    binding.isGridKnown = true;
  }
  grid = binding.grid;
  return checkGrid(compiled, grid);
}

static bool sameArguments(const LaunchBinding &binding, std::span<const ArgumentValue> given) {
  return binding.isComplete && given.size() == binding.count &&
         std::equal(given.begin(), given.end(), binding.given.begin());
}

Status Kernel::chooseCtas(LaunchBinding &binding, const KernelLaunch &request, std::array<uint32_t, 3> &ctas) const {
  std::array<uint32_t, 3> grid{};
  ctas = {};
  if (Status status = chooseGrid(binding, request, grid); !status)
    return status;
  if (std::count(grid.begin(), grid.end(), 0u) > 0)
    return Status::ok();
  Result<std::array<uint32_t, 3>> started =
      startedCtas(compiled, grid, residentOfWalkers(onDevice->info().residentCtas, multiprocessors, binding.walkers));
  if (!started)
    return started.status();
  updateGrid(binding, compiled, grid);
  ctas = *started;
  return Status::ok();
}

LaunchRequest Kernel::requestFor(const LaunchBinding &binding, const std::array<uint32_t, 3> &ctas) const {
  LaunchRequest launch;
  launch.grid = ctas;
  launch.params = binding.params.data();
  launch.paramBytes = compiled.paramBytes;
  launch.arguments = binding.arguments();
  return launch;
}

Status Kernel::launch(const KernelLaunch &request) const {
  LaunchBinding &binding = bindingOfThread();
  if (!sameArguments(binding, request.arguments))
    if (Status status = updateArguments(binding, compiled, promised, request.arguments); !status)
      return status;
  std::array<uint32_t, 3> ctas{};
  Status status = chooseCtas(binding, request, ctas);
  if (!status) {
    Result<const Kernel *> other = inPlace(binding, status);
    return other ? (*other)->launch(request) : other.status();
  }
  if (ctas[0] == 0)
    return status;
  if (Status status = updateTensorMaps(binding, compiled, *onDevice); !status)
    return status;
  LaunchRequest launch = requestFor(binding, ctas);
  launch.stream = request.stream;
  launch.emulatorSchedule = request.emulatorSchedule;
  return onDevice->launch(launch);
}

} // namespace tawa
