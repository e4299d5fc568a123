// Walks over whole layers.
#include "runtime/store/Maintenance.h"

#include <cerrno>
#include <cstring>
#include <map>
#include <sys/stat.h>
#include <unistd.h>

namespace tawa::store {

using RowName = std::tuple<KeyKind, std::string, std::string>;

static RowName nameOf(const Row &row) { return {row.kind, row.hash, row.config}; }

/// When each row of the layer was made.
static Result<std::map<RowName, int64_t>> datesOf(Layer &layer) {
  std::map<RowName, int64_t> dates;
  Status status = layer.forEach(false, [&](Row &&row) {
    dates.emplace(nameOf(row), row.made);
    return true;
  });
  if (!status)
    return status;
  return dates;
}

Result<uint64_t> copyRows(Layer &from, Layer &to, const RowFilter &wanted) {
  Result<std::map<RowName, int64_t>> there = datesOf(to);
  if (!there)
    return there.status();
  Result<Transaction> transaction = to.transaction();
  if (!transaction)
    return transaction.status();
  uint64_t copied = 0;
  Status put;
  Status walked = from.forEach(true, [&](Row &&row) {
    auto known = there->find(nameOf(row));
    bool isNews = known == there->end() || (row.kind == KeyKind::Tune && known->second < row.made);
    if (!isNews || !faultOf(row).empty() || !wanted(row))
      return true;
    put = to.put(std::move(row));
    copied += put.isOk();
    return put.isOk();
  });
  if (!walked || !put)
    return walked ? put : walked;
  if (Status status = transaction->commit(); !status)
    return status;
  return copied;
}

Result<uint64_t> exportRows(Layer &from, const std::string &file, bool isSealed, const RowFilter &wanted) {
  Result<std::unique_ptr<Layer>> to = Layer::create(file);
  if (!to)
    return to.status();
  Result<uint64_t> copied = copyRows(from, **to, wanted);
  to->reset();
  if (copied && isSealed && chmod(file.c_str(), S_IRUSR | S_IRGRP | S_IROTH) != 0)
    copied = Status(StatusCode::CacheIO, file + ": chmod: " + std::strerror(errno));
  if (!copied)
    unlink(file.c_str());
  return copied;
}

Result<uint64_t> removeBadRows(Layer &layer, const std::function<std::string(const Row &)> &fault) {
  std::vector<RowName> bad;
  Status walked = layer.forEach(true, [&](Row &&row) {
    if (!fault(row).empty())
      bad.push_back(nameOf(row));
    return true;
  });
  if (!walked)
    return walked;
  for (const auto &[kind, hash, config] : bad)
    if (Result<bool> removed = layer.remove(kind, hash, config); !removed)
      return removed.status();
  return uint64_t{bad.size()};
}

} // namespace tawa::store
