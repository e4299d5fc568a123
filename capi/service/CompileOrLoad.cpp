// Where the store and the compiler meet.
#include "capi/service/CompileOrLoad.h"

#include "capi/service/CompileKey.h"
#include "capi/service/LargeStack.h"
#include "runtime/support/BuildId.h"

#include <chrono>

namespace tawa::capi {

Result<CompileOutput> compileOnLargeStack(const CompileInput &input, const Logger &log) {
  auto compile = [&] { return compileKernel(input); };
  Result<CompileOutput> output = onLargeStack(compile);
  if (output)
    for (const Diagnostic &diagnostic : output->diagnostics)
      log.info([&] { return diagnostic.file + ":" + std::to_string(diagnostic.line) + ": " + diagnostic.message; });
  return output;
}

const std::string &thisBuild() {
  static const std::string build = buildId();
  return build;
}

namespace {

/// Without a store: always compiles. What comes of it says which key that was.
Result<CompiledKernel> compileAnew(const tawa_runtime &runtime, const CompileInput &input,
                                   const std::optional<store::Key> &key) {
  ++runtime.compiles;
  Result<CompileOutput> output = compileOnLargeStack(input, runtime.log);
  if (!output)
    return output.status();
  return CompiledKernel{std::move(output->artifact), std::move(output->diagnostics), key ? key->hash() : ""};
}

/// Nothing where no key can be made: then the compiler says what is wrong with the text.
std::optional<store::Key> keyOf(const tawa_runtime &runtime, const CompileInput &input) {
  if (thisBuild().empty()) { // builds could not be told apart
    runtime.log.debug([] { return "linked without a build id: nothing is remembered"; });
    return std::nullopt;
  }
  Result<store::Key> key = compileKey(input, thisBuild());
  return key ? std::optional(std::move(*key)) : std::nullopt;
}

/// The stored kernel as this request would have got it.
std::optional<CompiledKernel> revive(store::Store &store, const store::Key &key, const std::string &payload,
                                     const std::string &fileName) {
  Result<CompiledKernel> kernel = deserialize(payload);
  if (!kernel) {
    store.reject(key, kernel.status().message());
    return std::nullopt;
  }
  for (Diagnostic &diagnostic : kernel->diagnostics)
    diagnostic.file = fileName; // the key leaves the file's name out
  return std::move(*kernel);
}

Status missed(store::Store &store, const store::Key &key, const std::string &fileName) {
  return {StatusCode::CacheMiss,
          fileName + " is not in the cache, and the runtime is frozen: " + store.explainMiss(key)};
}

double millisecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

} // namespace

Result<FetchedKernel> compileOrLoad(const tawa_runtime &runtime, CompileInput &input) {
  auto start = std::chrono::steady_clock::now();
  forgetShapes(input.arguments);
  std::optional<store::Key> key;
  if (input.dumpDirectory.empty())
    key = keyOf(runtime, input);
  store::Store::Claim claim;
  if (key && runtime.isFrozen)
    claim.payload = runtime.store->find(*key);
  else if (key)
    claim = runtime.store->findOrClaim(*key);
  if (claim.payload)
    if (std::optional<CompiledKernel> kernel = revive(*runtime.store, *key, *claim.payload, input.name)) {
      if (Status status = checkFacts(kernel->artifact.arguments, input.arguments, input.name); !status)
        return status;
      kernel->artifact.report.phases = {{"cache", millisecondsSince(start)}};
      return FetchedKernel{std::move(*kernel), true};
    }
  if (key && runtime.isFrozen)
    return missed(*runtime.store, *key, input.name);
  Result<CompiledKernel> compiled = compileAnew(runtime, input, key);
  if (!compiled)
    return compiled.status();
  if (key)
    static_cast<void>(runtime.store->put(*key, serialize(*compiled))); // a fault is logged and no more
  return FetchedKernel{std::move(*compiled), false};
}

std::string explainMiss(const tawa_runtime &runtime, CompileInput &input) {
  forgetShapes(input.arguments);
  std::optional<store::Key> key = keyOf(runtime, input);
  if (!key)
    return "this library was linked without a build id and remembers nothing, or the text is wrong";
  return runtime.store->find(*key) ? std::string() : runtime.store->explainMiss(*key);
}

Result<bool> storeKernel(const tawa_runtime &runtime, CompileInput &input) {
  forgetShapes(input.arguments);
  std::optional<store::Key> key = keyOf(runtime, input);
  if (key && !runtime.store->canWrite())
    return Status(StatusCode::CacheIO, "there is no cache that can be written");
  store::Store::Claim claim;
  if (key)
    claim = runtime.store->findOrClaim(*key);
  if (claim.payload)
    if (std::optional<CompiledKernel> kernel = revive(*runtime.store, *key, *claim.payload, input.name)) {
      Status status = checkFacts(kernel->artifact.arguments, input.arguments, input.name);
      return status ? Result<bool>(true) : Result<bool>(status);
    }
  Result<CompiledKernel> compiled = compileAnew(runtime, input, key);
  if (!compiled)
    return compiled.status();
  if (!key)
    return Status(StatusCode::CacheIO, "this library was linked without a build id and remembers nothing");
  if (Status status = runtime.store->put(*key, serialize(*compiled)); !status)
    return status;
  return false;
}

} // namespace tawa::capi
