// One list of fields per struct, used to write and to read alike. Each list takes its struct apart with a structured
// binding, which names every member: a member that is added to a struct and not here does not compile.
#include "runtime/artifact/Serialize.h"

#include "runtime/artifact/ParamLayout.h"
#include "runtime/artifact/PayloadHead.h"

#include <cstring>
#include <type_traits>

namespace tawa {

namespace {

constexpr std::string_view kFormat = "tawa kernel 8"; // raise the number when the format changes

/// Numbers are 8 bytes, little endian; strings and lists have their count ahead.
class Writer {
public:
  static constexpr bool kReads = false;
  explicit Writer(std::string head) : bytes(std::move(head)) {}
  std::string bytes;

  void number(uint64_t value) {
    for (int shift = 0; shift < 64; shift += 8)
      bytes += static_cast<char>(value >> shift);
  }
  void text(const std::string &value) {
    number(value.size());
    bytes += value;
  }
};

/// After the first invalid item, everything reads as 0 or empty and isRight() stays false.
class Reader {
public:
  static constexpr bool kReads = true;
  explicit Reader(std::string_view bytes) : rest(bytes) {}

  uint64_t number() {
    std::string_view taken = take(8);
    uint64_t value = 0;
    for (size_t i = 0; i < taken.size(); ++i)
      value |= uint64_t{static_cast<unsigned char>(taken[i])} << (8 * i);
    return value;
  }
  std::string text() { return std::string(take(number())); }
  /// For a list whose elements take at least a byte each, so that a damaged count cannot request all memory.
  size_t count() {
    uint64_t value = number();
    require(value <= rest.size());
    return isGood ? value : 0;
  }
  void require(bool condition) { isGood = isGood && condition; }
  bool isRight() const { return isGood && rest.empty(); }

private:
  std::string_view take(uint64_t size) {
    require(size <= rest.size());
    if (!isGood)
      return {};
    std::string_view taken = rest.substr(0, size);
    rest.remove_prefix(size);
    return taken;
  }

  std::string_view rest;
  bool isGood = true;
};

/// Largest enumerator of each enumeration that is stored.
constexpr uint64_t last(TargetKind) { return static_cast<uint64_t>(TargetKind::Host); }
constexpr uint64_t last(ElementType) { return static_cast<uint64_t>(ElementType::F64); }
constexpr uint64_t last(TensorMapRecipe::Swizzle) { return static_cast<uint64_t>(TensorMapRecipe::Swizzle::B128); }
constexpr uint64_t last(TensorMapRecipe::Fill) { return static_cast<uint64_t>(TensorMapRecipe::Fill::NaN); }
constexpr uint64_t last(KernelParam::Source) { return static_cast<uint64_t>(KernelParam::Source::Workspace); }
constexpr uint64_t last(LogicalArgument::Kind) { return static_cast<uint64_t>(LogicalArgument::Kind::Constant); }
constexpr uint64_t last(Diagnostic::Severity) { return static_cast<uint64_t>(Diagnostic::Severity::Note); }

template <typename Archive> void field(Archive &archive, std::string &value) {
  if constexpr (Archive::kReads)
    value = archive.text();
  else
    archive.text(value);
}

/// Integers, booleans and enumerations; a value that the type does not hold is wrong.
template <typename Archive, typename T>
  requires std::is_integral_v<T> || std::is_enum_v<T>
void field(Archive &archive, T &value) {
  if constexpr (Archive::kReads) {
    uint64_t number = archive.number();
    if constexpr (std::is_enum_v<T>)
      archive.require(number <= last(T{}));
    value = static_cast<T>(number);
    archive.require(static_cast<uint64_t>(value) == number);
  } else {
    archive.number(static_cast<uint64_t>(value));
  }
}

template <typename Archive> void field(Archive &archive, double &value) {
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  field(archive, bits);
  std::memcpy(&value, &bits, sizeof(bits));
}

template <typename Archive> void field(Archive &archive, KernelConfig &config) {
  std::string text = Archive::kReads ? "" : config.str();
  field(archive, text);
  if constexpr (Archive::kReads) {
    Result<KernelConfig> parsed = KernelConfig::parse(text);
    archive.require(parsed.isOk());
    if (parsed)
      config = std::move(*parsed);
  }
}

template <typename Archive, typename T, size_t N> void field(Archive &archive, std::array<T, N> &values) {
  for (T &value : values)
    field(archive, value);
}

template <typename Archive, typename A, typename B> void field(Archive &archive, std::pair<A, B> &values) {
  field(archive, values.first);
  field(archive, values.second);
}

// Defined below; named here so that lists of them find them.
template <typename Archive> void field(Archive &archive, TensorMapRecipe &recipe);
template <typename Archive> void field(Archive &archive, KernelParam &param);
template <typename Archive> void field(Archive &archive, LogicalArgument &argument);
template <typename Archive> void field(Archive &archive, KernelReport::Role &role);
template <typename Archive> void field(Archive &archive, KernelReport::Ring &ring);
template <typename Archive> void field(Archive &archive, KernelReport::PhaseTime &phase);
template <typename Archive> void field(Archive &archive, Diagnostic &diagnostic);

template <typename Archive, typename T> void field(Archive &archive, std::vector<T> &values) {
  if constexpr (Archive::kReads)
    values.resize(archive.count());
  else
    archive.number(values.size());
  for (T &value : values)
    field(archive, value);
}

template <typename Archive, typename... Fields> void fields(Archive &archive, Fields &...members) {
  (field(archive, members), ...);
}

template <typename Archive> void field(Archive &archive, TensorMapRecipe &recipe) {
  auto &[argument, elementType, box, swizzle, fill, offset, shape, strides] = recipe;
  fields(archive, argument, elementType, box, swizzle, fill, offset, shape, strides);
}

template <typename Archive> void field(Archive &archive, KernelParam &param) {
  auto &[source, index, dimension, bytes, alignment, offset] = param;
  fields(archive, source, index, dimension, bytes, alignment, offset);
}

template <typename Archive> void field(Archive &archive, LogicalArgument &argument) {
  auto &[kind, name, elementType, rank, value, alignment, strideDivisor, columnDivisor] = argument;
  fields(archive, kind, name, elementType, rank, value, alignment, strideDivisor, columnDivisor);
}

template <typename Archive> void field(Archive &archive, RetiledGrid &retiled) {
  auto &[programs, zeros, walkers] = retiled;
  fields(archive, programs, zeros, walkers);
}

template <typename Archive> void field(Archive &archive, LaunchMetadata &launch) {
  auto &[threads, sharedBytes, cluster, clusterDivides, paddedGrid, split, scratchBytes, stream, workspaceBytes,
         registersPerThread, walked, uniformTileWork, retiled] = launch;
  fields(archive, threads, sharedBytes, cluster, clusterDivides, paddedGrid, split, scratchBytes, stream,
         workspaceBytes, registersPerThread, walked, uniformTileWork, retiled);
}

template <typename Archive> void field(Archive &archive, KernelReport::Role &role) {
  auto &[name, warps, registers] = role;
  fields(archive, name, warps, registers);
}

template <typename Archive> void field(Archive &archive, KernelReport::Ring &ring) {
  auto &[depth, slotBytes, payload] = ring;
  fields(archive, depth, slotBytes, payload);
}

template <typename Archive> void field(Archive &archive, KernelReport::PhaseTime &phase) {
  auto &[name, milliseconds] = phase;
  fields(archive, name, milliseconds);
}

template <typename Archive> void field(Archive &archive, KernelReport &report) {
  auto &[declined, notApplied, roles, rings, phases] = report;
  fields(archive, declined, notApplied, roles, rings, phases);
}

template <typename Archive> void field(Archive &archive, KernelArtifact &artifact) {
  auto &[target, gpu, entry, code, config, launch, arguments, params, tensorMaps, paramBytes, gridExpression, hash,
         report] = artifact;
  fields(archive, target, gpu, entry, code, config, launch, arguments, params, tensorMaps, paramBytes, gridExpression,
         hash, report);
}

template <typename Archive> void field(Archive &archive, Diagnostic &diagnostic) {
  auto &[severity, file, line, column, op, message] = diagnostic;
  fields(archive, severity, file, line, column, op, message);
}

} // namespace

std::string serialize(const CompiledKernel &kernel) {
  Writer writer(payloadHead(kFormat, kernel.madeFor));
  auto &fieldsOnly = const_cast<CompiledKernel &>(kernel); // the lists serve both directions; writing changes nothing
  fields(writer, fieldsOnly.artifact, fieldsOnly.diagnostics);
  return std::move(writer.bytes);
}

Result<CompiledKernel> deserialize(std::string_view bytes) {
  std::optional<std::string_view> madeFor = takePayloadHead(kFormat, bytes);
  if (!madeFor)
    return Status(StatusCode::CacheCorrupt, "a stored kernel is of another version");
  CompiledKernel kernel;
  kernel.madeFor = *madeFor;
  Reader reader(bytes);
  fields(reader, kernel.artifact, kernel.diagnostics);
  if (!reader.isRight())
    return Status(StatusCode::CacheCorrupt, "a stored kernel cannot be read");
  if (kernel.artifact.contentHash != contentHash(kernel.artifact))
    return Status(StatusCode::CacheCorrupt, "a stored kernel does not have the content it says");
  if (Status status = checkParams(kernel.artifact); !status)
    return Status(StatusCode::CacheCorrupt, "a stored kernel's parameters: " + status.message());
  return kernel;
}

} // namespace tawa
