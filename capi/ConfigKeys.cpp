// The keys of a configuration, as JSON for programs that offer or check them.
#include "runtime/artifact/ConfigKeys.h"
#include "capi/Json.h"
#include "include/tawa/tawa.h"
#include "runtime/artifact/KernelConfig.h"

using namespace tawa;
using tawa::capi::quoted;

/// A value as it stands in a configuration; words are strings.
static std::string valueOf(const ConfigKey &key, int value) {
  return key.form == ConfigForm::Schedules ? quoted(key.text(value)) : key.text(value);
}

/// Every value of a key that does not take a whole range: "[0,1,2,4]".
static std::string choicesOf(const ConfigKey &key) {
  std::string list;
  for (int value = key.least; value <= key.most; ++value)
    if (key.takes(value))
      list += (list.empty() ? "" : ",") + valueOf(key, value);
  return "[" + list + "]";
}

static std::string objectOf(const ConfigKey &key) {
  static const KernelConfig defaults;
  std::string text = "{\"name\":" + quoted(key.name) + ",\"default\":" + valueOf(key, defaults.*key.member);
  if (key.form == ConfigForm::Range)
    text += ",\"least\":" + std::to_string(key.least) + ",\"most\":" + std::to_string(key.most);
  else
    text += ",\"choices\":" + choicesOf(key);
  return text + ",\"meaning\":" + quoted(key.meaning) + "}";
}

extern "C" const char *tawa_config_keys(void) {
  static const std::string text = [] {
    std::string list;
    for (const ConfigKey &key : configKeys())
      list += (list.empty() ? "" : ",") + objectOf(key);
    return "[" + list + "]";
  }();
  return text.c_str();
}
