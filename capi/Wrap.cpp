// Checks of struct headers, and the structs that more than one topic hands out.
#include "capi/Guard.h"

#include <cstdlib>

namespace tawa::capi {

static Status abiMismatch(const char *what, const std::string &why) {
  return {StatusCode::AbiMismatch, std::string(what) + ": " + why};
}

Status checkStruct(const void *given, const char *what) {
  if (!given)
    return nullArgument(what);
  StructHeader header;
  std::memcpy(&header, given, sizeof(header));
  if (header.structSize < sizeof(StructHeader) || header.structSize > kLargestStruct)
    return abiMismatch(what, "struct_size is " + std::to_string(header.structSize) +
                                 "; initialize it with the struct's _INIT macro");
  if (header.reserved != 0 || header.next)
    return {StatusCode::InvalidArgument, std::string(what) + ": reserved must be 0 and next NULL"};
  return Status::ok();
}

Status checkTail(const void *given, size_t known, const char *what) {
  StructHeader header;
  std::memcpy(&header, given, sizeof(header));
  const char *bytes = static_cast<const char *>(given);
  if (header.structSize > known &&
      std::any_of(bytes + known, bytes + header.structSize, [](char byte) { return byte != 0; }))
    return abiMismatch(what, "sets fields that are newer than this library (" + std::string(tawa_version()) + ")");
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
  return writeStruct(given, ours, "tawa_diagnostic_t");
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
  return writeStruct(given, ours, "tawa_arg_info_t");
}

} // namespace tawa::capi
