// Parses TAWA_DEBUG once, and answers which passes it names.
#include "compiler/support/Debug.h"

#include "runtime/support/Environment.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace tawa {

bool isDebugged(llvm::StringRef type) {
  static const std::string wanted = env::get(env::Variable::Debug).value_or("");
  if (wanted.empty())
    return false;
  llvm::SmallVector<llvm::StringRef> types;
  llvm::StringRef(wanted).split(types, ',');
  return llvm::is_contained(types, "all") || llvm::is_contained(types, type);
}

} // namespace tawa
