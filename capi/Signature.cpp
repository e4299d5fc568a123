// Signatures: what a kernel's text asks for, read without compiling it.
#include "capi/boundary/Guard.h"
#include "capi/service/LargeStack.h"

#include <algorithm>

using namespace tawa;
using namespace tawa::capi;

extern "C" {

tawa_status_t tawa_signature_read(const char *text, size_t textLength, const char *name, tawa_signature_t *signature,
                                  tawa_error_t *error) {
  clear(signature);
  return guard(error, [&]() -> Status {
    if (!signature)
      return nullArgument("signature");
    if (Status status = checkText(text, textLength); !status)
      return status;
    auto read = [&] { return readSignature({text, textLength}, name ? name : "<kernel>"); };
    Result<KernelSignature> facts = onLargeStack(read);
    if (!facts)
      return facts.status();
    *signature = new tawa_signature{std::move(*facts)};
    return Status::ok();
  });
}

const char *tawa_signature_entry(tawa_signature_t signature) { return signature ? signature->facts.entry.c_str() : ""; }

const char *tawa_signature_grid(tawa_signature_t signature) {
  return signature ? signature->facts.gridExpression.c_str() : "";
}

uint32_t tawa_signature_argument_count(tawa_signature_t signature) {
  return signature ? static_cast<uint32_t>(signature->facts.arguments.size()) : 0;
}

tawa_status_t tawa_signature_argument(tawa_signature_t signature, uint32_t index, tawa_arg_info_t *info) {
  return guard([&]() -> Status {
    if (!signature)
      return nullArgument("signature");
    return writeArgumentInfo(signature->facts.arguments, index, info);
  });
}

uint32_t tawa_signature_parameter_count(tawa_signature_t signature) {
  return signature ? static_cast<uint32_t>(signature->facts.tileParameters.size()) : 0;
}

tawa_status_t tawa_signature_parameter(tawa_signature_t signature, uint32_t index, tawa_parameter_info_t *info) {
  return guard([&]() -> Status {
    if (!signature)
      return nullArgument("signature");
    const auto &parameters = signature->facts.tileParameters;
    if (index >= parameters.size())
      return badIndex(index, parameters.size());
    tawa_parameter_info_t ours = TAWA_PARAMETER_INFO_INIT;
    ours.name = parameters[index].first.c_str();
    ours.values = parameters[index].second.data();
    ours.num_values = static_cast<uint32_t>(parameters[index].second.size());
    ours.is_setting = std::ranges::count(signature->facts.settings, parameters[index].first) > 0;
    return writeStruct(info, ours);
  });
}

void tawa_signature_release(tawa_signature_t signature) { delete signature; }

} // extern "C"
