# Writes `output`, the C++ definitions of layoutOf() (Wrap.h) for every struct of the headers after it. They are read from the
# declarations themselves, so that a field added there is known here.
function(tawa_write_struct_layouts output)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ARGN})
  set(text)
  foreach(header IN LISTS ARGN)
    file(READ ${header} part)
    string(APPEND text "${part}")
  endforeach()
  string(REPLACE ";" "@" text "${text}") # a list separator otherwise
  string(REGEX REPLACE "/\\*([^*]|\\*+[^*/])*\\*+/" "" text "${text}")
  string(REGEX MATCHALL "typedef struct tawa_[a-z_]+ {[^}]*}" structs "${text}")
  set(layouts)
  foreach(struct IN LISTS structs)
    string(REGEX REPLACE "^typedef struct (tawa_[a-z_]+) .*" "\\1_t" name "${struct}")
    string(REGEX MATCHALL "[a-z0-9_]+(\\[[A-Z0-9_]+\\])?@" fields "${struct}")
    list(TRANSFORM fields REPLACE "(\\[.*\\])?@" "")
    set(ends)
    set(reserved)
    foreach(field IN LISTS fields)
      string(APPEND ends "\n      offsetof(${name}, ${field}) + sizeof(${name}::${field}),")
      if(field MATCHES "^reserved")
        string(APPEND reserved "\n      offsetof(${name}, ${field}),")
      endif()
    endforeach()
    string(APPEND layouts "template <> const StructLayout &layoutOf<${name}>() {\n"
      "  static constexpr uint32_t ends[] = {${ends}\n  };\n"
      "  static constexpr uint32_t reserved[] = {${reserved}\n  };\n"
      "  static constexpr StructLayout layout{\"${name}\", sizeof(${name}), ends, reserved};\n"
      "  return layout;\n}\n\n")
  endforeach()
  string(REPLACE "@" ";" layouts "${layouts}")
  file(CONFIGURE OUTPUT ${output} @ONLY CONTENT [[
// Made from the C headers of include/tawa by capi/StructLayouts.cmake.
#include "capi/boundary/Wrap.h"
#include "include/tawa/plan.h"

#include <cstddef>

namespace tawa::capi {

@layouts@} // namespace tawa::capi
]])
endfunction()
