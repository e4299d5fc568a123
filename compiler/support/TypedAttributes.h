// TypedAttributes: attributes that passes leave for each other on operations of any dialect (MLIR calls them
// discardable). A dialect declares each of its own once, in a .def file: name, type, what may carry it, meaning. The
// accessors, the verifier and the table of the documents come from there. (`discardableAttrs` of ODS says neither where
// an attribute may stand nor what it means, and verifies nothing.)
#pragma once

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <optional>

namespace tawa {

/// One such attribute, of type `AttrT`, on operations or on parameters of functions.
template <typename AttrT> struct TypedAttribute {
  llvm::StringLiteral name;

  static bool holds(mlir::Attribute value) { return mlir::isa<AttrT>(value); }

  bool on(mlir::Operation *op) const { return op->hasAttr(name); }
  /// Null where there is none.
  AttrT get(mlir::Operation *op) const { return op->getAttrOfType<AttrT>(name); }
  void set(mlir::Operation *op, AttrT value) const { op->setAttr(name, value); }
  /// Whether there was one.
  bool remove(mlir::Operation *op) const { return static_cast<bool>(op->removeAttr(name)); }

  AttrT get(mlir::FunctionOpInterface func, unsigned parameter) const {
    return func.getArgAttrOfType<AttrT>(parameter, name);
  }
  void set(mlir::FunctionOpInterface func, unsigned parameter, AttrT value) const {
    func.setArgAttr(parameter, name, value);
  }
  void remove(mlir::FunctionOpInterface func, unsigned parameter) const {
    func.removeArgAttr(parameter, mlir::StringAttr::get(func->getContext(), name));
  }

  mlir::NamedAttribute named(AttrT value) const { return {mlir::StringAttr::get(value.getContext(), name), value}; }
};

struct UnitAttribute : TypedAttribute<mlir::UnitAttr> {
  void set(mlir::Operation *op) const { op->setAttr(name, mlir::UnitAttr::get(op->getContext())); }
};

struct I32Attribute : TypedAttribute<mlir::IntegerAttr> {
  static bool holds(mlir::Attribute value) {
    auto integer = mlir::dyn_cast<mlir::IntegerAttr>(value);
    return integer && integer.getType().isSignlessInteger(32);
  }
  std::optional<int32_t> get(mlir::Operation *op) const { return number(TypedAttribute::get(op)); }
  std::optional<int32_t> get(mlir::FunctionOpInterface func, unsigned parameter) const {
    return number(TypedAttribute::get(func, parameter));
  }
  void set(mlir::Operation *op, int64_t value) const {
    op->setAttr(name, mlir::IntegerAttr::get(mlir::IntegerType::get(op->getContext(), 32), value));
  }
  using TypedAttribute::set;

private:
  static std::optional<int32_t> number(mlir::IntegerAttr value) {
    return value ? std::optional(static_cast<int32_t>(value.getInt())) : std::nullopt;
  }
};

struct StringAttribute : TypedAttribute<mlir::StringAttr> {
  void set(mlir::Operation *op, llvm::StringRef text) const {
    op->setAttr(name, mlir::StringAttr::get(op->getContext(), text));
  }
};

/// An array of `ElementT`.
template <typename ElementT> struct ListAttribute : TypedAttribute<mlir::ArrayAttr> {
  static bool holds(mlir::Attribute value) {
    auto list = mlir::dyn_cast<mlir::ArrayAttr>(value);
    return list && llvm::all_of(list, llvm::IsaPred<ElementT>);
  }
};

/// A dictionary of strings.
struct TextsAttribute : TypedAttribute<mlir::DictionaryAttr> {
  static bool holds(mlir::Attribute value) {
    auto texts = mlir::dyn_cast<mlir::DictionaryAttr>(value);
    return texts &&
           llvm::all_of(texts, [](mlir::NamedAttribute text) { return mlir::isa<mlir::StringAttr>(text.getValue()); });
  }
};

/// What a dialect declares of an attribute, for its verifier.
struct AttributeRule {
  llvm::StringLiteral name;
  llvm::StringLiteral type;   ///< In words.
  llvm::StringLiteral places; ///< `module`, `function`, `parameter`, `any operation`, or names of operations.
  bool (*holds)(mlir::Attribute);
};

/// For a dialect's verifyOperationAttribute and verifyRegionArgAttribute: the attribute is one that it declares, has
/// its type and stands where it may.
llvm::LogicalResult verifyTypedAttribute(mlir::Operation *op, mlir::NamedAttribute attribute, bool ofParameter,
                                         llvm::ArrayRef<AttributeRule> rules);

} // namespace tawa
