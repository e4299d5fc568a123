// CUDA's libdevice by name: which functions tt.extern_elementwise may call.
#pragma once

#include "compiler/target/hopper/ExpandMath/Expr.h"

#include <optional>
#include <string>

namespace tawa::math {

using Build = Expr (*)(Args);

/// A function of the library. Types are letters: f and d for f32 and f64, h, i and l for i16, i32 and i64, operands
/// before a colon and the result after it.
struct LibraryFunction {
  std::string types;
  Build build;
};

/// Looks up "__nv_sinf"; nothing for an unknown name.
std::optional<LibraryFunction> findLibraryFunction(llvm::StringRef symbol);
/// Up to three known names that are spelled most like this one, for an error message.
std::string similarLibraryNames(llvm::StringRef symbol);
/// All names, each with its letters.
llvm::SmallVector<std::pair<std::string, std::string>> allLibraryFunctions();
/// The type a letter stands for.
mlir::Type libraryType(mlir::MLIRContext *context, char letter);

} // namespace tawa::math
