// Checks of struct headers, and the structs that more than one topic hands out.
#include "capi/boundary/Guard.h"

#include <cstdlib>

namespace tawa::capi {

static StructHeader headerOf(const void *given) {
  StructHeader header;
  std::memcpy(&header, given, sizeof(header));
  return header;
}

static Status abiMismatch(const StructLayout &layout, const std::string &why) {
  return {StatusCode::AbiMismatch, std::string(layout.name) + ": " + why};
}

static Status reservedIsSet(const StructLayout &layout) {
  return {StatusCode::InvalidArgument, std::string(layout.name) + ": reserved fields must be 0 and next NULL"};
}

/// A size of an older version ends with a field, one of a newer version is beyond ours; all are padded to 8 bytes.
static bool isPossibleSize(uint32_t size, const StructLayout &layout) {
  if (size < sizeof(StructHeader) || size > kLargestStruct || size % alignof(StructHeader))
    return false;
  return size >= layout.size || std::ranges::find(layout.ends, size) != layout.ends.end();
}

Status checkStruct(const void *given, const StructLayout &layout) {
  if (!given)
    return nullArgument(layout.name);
  StructHeader header = headerOf(given);
  if (!isPossibleSize(header.structSize, layout))
    return abiMismatch(layout, "struct_size is " + std::to_string(header.structSize) +
                                   ", which no version of the struct has; initialize it with its _INIT macro");
  return header.reserved == 0 && !header.next ? Status::ok() : reservedIsSet(layout);
}

Status checkInput(const void *given, const StructLayout &layout) {
  if (Status status = checkStruct(given, layout); !status)
    return status;
  uint32_t size = headerOf(given).structSize;
  const char *bytes = static_cast<const char *>(given);
  for (uint32_t offset : layout.reserved) {
    uint32_t value = 0;
    if (offset < size)
      std::memcpy(&value, bytes + offset, sizeof(value));
    if (value != 0)
      return reservedIsSet(layout);
  }
  auto isSet = [](char byte) { return byte != 0; };
  if (size > layout.size && std::any_of(bytes + layout.size, bytes + size, isSet))
    return abiMismatch(layout, "sets fields that are newer than this library (" + std::string(tawa_version()) + ")");
  return Status::ok();
}

Status checkText(const char *text, size_t length) {
  constexpr size_t kLongestText = size_t{64} << 20;
  if (!text)
    return nullArgument("text");
  if (length > kLongestText)
    return {StatusCode::InvalidArgument, "text_len is " + std::to_string(length) + "; a kernel's text has at most " +
                                             std::to_string(kLongestText) + " bytes"};
  return Status::ok();
}

Status handOut(const std::string &bytes, char **data, size_t *size) {
  auto *copy = static_cast<char *>(std::malloc(bytes.size() + 1));
  if (!copy)
    return outOfMemory;
  std::memcpy(copy, bytes.c_str(), bytes.size() + 1);
  *data = copy;
  if (size)
    *size = bytes.size();
  return Status::ok();
}

Status writeDiagnostic(const std::vector<Diagnostic> &diagnostics, uint32_t index, tawa_diagnostic_t *given) {
  if (index >= diagnostics.size())
    return badIndex(index, diagnostics.size());
  const Diagnostic &from = diagnostics[index];
  tawa_diagnostic_t ours = TAWA_DIAGNOSTIC_INIT;
  ours.severity = static_cast<tawa_severity_t>(from.severity);
  ours.line = static_cast<uint32_t>(std::max(from.line, 0));
  ours.column = static_cast<uint32_t>(std::max(from.column, 0));
  ours.file = from.file.c_str();
  ours.op = from.op.c_str();
  ours.message = from.message.c_str();
  return writeStruct(given, ours);
}

Status writeArgumentInfo(const std::vector<LogicalArgument> &arguments, uint32_t index, tawa_arg_info_t *given) {
  if (index >= arguments.size())
    return badIndex(index, arguments.size());
  const LogicalArgument &from = arguments[index];
  tawa_arg_info_t ours = TAWA_ARG_INFO_INIT;
  ours.name = from.name.c_str();
  ours.kind = static_cast<tawa_arg_kind_t>(from.kind);
  ours.dtype = static_cast<tawa_dtype_t>(from.elementType);
  ours.rank = from.rank;
  ours.alignment = from.alignment;
  return writeStruct(given, ours);
}

} // namespace tawa::capi
