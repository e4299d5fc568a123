# How Tawa's targets are made: one function per kind, so that warnings, sanitizers and include rules stand once.

add_library(tawa_compile_options INTERFACE)
target_compile_options(tawa_compile_options INTERFACE
  -Wall -Wextra -Wno-unused-parameter -fno-semantic-interposition -ffunction-sections -fdata-sections
  $<$<BOOL:${TAWA_WERROR}>:-Werror>)
if(TAWA_SANITIZE)
  target_compile_options(tawa_compile_options INTERFACE -fsanitize=${TAWA_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(tawa_compile_options INTERFACE -fsanitize=${TAWA_SANITIZE})
endif()

# tawa_add_library(<name> SOURCES ... [DEPS ...]): a static library of one layer. Includes are written from the
# repository root ("runtime/support/Status.h"), so that the path in an #include names the layer it reaches into.
function(tawa_add_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
  target_link_libraries(${name} PUBLIC ${ARG_DEPS} PRIVATE $<BUILD_INTERFACE:tawa_compile_options>)
endfunction()

# tawa_add_compiler_library(...): the same, for code that includes MLIR. Its headers are two thirds of a compile, so that
# they are parsed once for all of these libraries (compiler/Precompiled.h).
function(tawa_add_compiler_library name)
  tawa_add_library(${name} ${ARGN})
  target_include_directories(${name} SYSTEM PUBLIC ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
  target_compile_definitions(${name} PUBLIC ${LLVM_DEFINITIONS_LIST})
  if(TARGET tawa_mlir_headers)
    target_precompile_headers(${name} REUSE_FROM tawa_mlir_headers)
  endif()
endfunction()

# tawa_add_tablegen(<target> <file.td> <gen args>=<output> ...): mlir-tblgen outputs beside the .td in the build tree.
function(tawa_add_tablegen target td)
  set(outputs)
  foreach(spec ${ARGN})
    string(REGEX MATCH "^(.*)=([^=]+)$" _ "${spec}")
    string(REPLACE "|" ";" args "${CMAKE_MATCH_1}")
    set(output ${CMAKE_CURRENT_BINARY_DIR}/${CMAKE_MATCH_2})
    add_custom_command(OUTPUT ${output}
      COMMAND ${TAWA_MLIR_TBLGEN} ${args} ${CMAKE_CURRENT_SOURCE_DIR}/${td} -o ${output}
              -I ${PROJECT_SOURCE_DIR} -I ${CMAKE_CURRENT_SOURCE_DIR} -I ${TAWA_MLIR_INCLUDE_DIR}
              --write-if-changed -d ${output}.d
      DEPFILE ${output}.d
      DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${td} COMMENT "tblgen ${CMAKE_MATCH_2}" VERBATIM)
    list(APPEND outputs ${output})
  endforeach()
  add_custom_target(${target} DEPENDS ${outputs})
endfunction()

# tawa_add_unit_test(<name> SOURCES ... DEPS ... [LABELS ...]): a GoogleTest program registered with CTest.
function(tawa_add_unit_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS;LABELS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
  target_link_libraries(${name} PRIVATE ${ARG_DEPS} GTest::gtest GTest::gtest_main Threads::Threads tawa_compile_options)
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT 600)
endfunction()
