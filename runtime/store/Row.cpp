// Checks of rows.
#include "runtime/store/Row.h"

#include "runtime/artifact/PayloadHead.h"
#include "runtime/support/Hash.h"

namespace tawa::store {

std::string payloadOwner(std::string_view hash, std::string_view config) {
  return config.empty() ? std::string(hash) : std::string(hash).append(" ").append(config);
}

std::string checksumOf(const Row &row) {
  std::string bytes = "tawa row 1 ";
  bytes.reserve(row.keyText.size() + row.payload.size() + 256);
  for (int64_t number : {int64_t{static_cast<int>(row.kind)}, row.made})
    bytes.append(std::to_string(number)).append(" ");
  for (const std::string *text : {&row.hash, &row.config, &row.keyText, &row.payload})
    bytes.append(std::to_string(text->size())).append(" ").append(*text);
  return hash128(bytes);
}

std::string faultOf(const Row &row) {
  if (row.checksum != checksumOf(row))
    return "its checksum does not match";
  if (row.hash != hash128(row.keyText))
    return "it stands under the hash of another key";
  if (!row.keyText.starts_with("tawa " + std::string(kindName(row.kind)) + " "))
    return "its key is of another kind";
  std::optional<std::string_view> owner = madeFor(row.payload);
  if (!owner)
    return "its payload does not say which key it was made for, as those of older versions";
  if (*owner != payloadOwner(row.hash, row.config))
    return "its payload was made for another key: " + std::string(owner->substr(0, 256));
  return {};
}

} // namespace tawa::store
