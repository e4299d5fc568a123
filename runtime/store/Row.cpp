// Checksums of rows.
#include "runtime/store/Row.h"

#include "runtime/support/Hash.h"

namespace tawa::store {

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
  return {};
}

} // namespace tawa::store
