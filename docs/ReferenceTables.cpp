// tawa-reference-tables: the tables of the documents that come from C++, as Markdown: configuration keys
// (runtime/artifact/KernelConfig.def), environment variables (runtime/support/Environment.def), or attributes that
// passes leave on operations (Attributes.def of the dialects).
#include "runtime/artifact/ConfigKeys.h"
#include "runtime/artifact/KernelConfig.h"
#include "runtime/support/Environment.h"

#include <cstdio>
#include <string_view>

static void printConfiguration() {
  std::puts("| key | default | values | meaning |\n|---|---|---|---|");
  const tawa::KernelConfig defaults;
  for (const tawa::ConfigKey &key : tawa::configKeys())
    std::printf("| `%s` | %s | %s | %s |\n", std::string(key.name).c_str(), key.text(defaults.*key.member).c_str(),
                key.values().c_str(), std::string(key.meaning).c_str());
}

static void printEnvironment() {
  std::puts("| variable | default | meaning |\n|---|---|---|");
  for (const tawa::env::Entry &entry : tawa::env::table())
    std::printf("| `%s` | %s | %s |\n", entry.name, entry.fallback, entry.help);
}

static void printAttributes() {
  constexpr const char *head = "| attribute | type | on | meaning |\n|---|---|---|---|";
  std::puts("## tawa\n");
  std::puts(head);
#define TAWA_ATTRIBUTE(NAME, TEXT, ACCESSOR, TYPE, PLACES, MEANING)                                                    \
  std::printf("| `%s` | %s | %s | %s |\n", TEXT, TYPE, PLACES, MEANING);
#include "compiler/roles/Tawa/Attributes.def"
  std::puts("\n## sm90\n");
  std::puts(head);
#define TAWA_ATTRIBUTE(NAME, TEXT, ACCESSOR, TYPE, PLACES, MEANING)                                                    \
  std::printf("| `%s` | %s | %s | %s |\n", TEXT, TYPE, PLACES, MEANING);
#include "compiler/target/hopper/SM90/Attributes.def"
}

int main(int count, char **arguments) {
  std::string_view table = count == 2 ? arguments[1] : "";
  if (table == "configuration")
    printConfiguration();
  else if (table == "environment")
    printEnvironment();
  else if (table == "attributes")
    printAttributes();
  else
    return std::fputs("usage: tawa-reference-tables configuration|environment|attributes\n", stderr), 1;
  return 0;
}
