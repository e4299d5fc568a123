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

# Everything that is generated before a file can be compiled, or only read (./dev tidy, ./dev includes).
add_custom_target(tawa_generated)

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
  add_dependencies(tawa_generated ${target})
endfunction()

# tawa_add_pass_tablegen(<target> <name>): Passes.h.inc of the folder's Passes.td; statistics become counters of our own.
function(tawa_add_pass_tablegen target name)
  tawa_add_tablegen(${target}_raw Passes.td "-gen-pass-decls|-name=${name}=Passes.h.inc.raw")
  set(output ${CMAKE_CURRENT_BINARY_DIR}/Passes.h.inc)
  set(script ${PROJECT_SOURCE_DIR}/compiler/cmake/PassCounters.cmake)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DFROM=${output}.raw -DTO=${output} -P ${script}
    DEPENDS ${output}.raw ${script} VERBATIM)
  add_custom_target(${target} DEPENDS ${output})
  add_dependencies(${target} ${target}_raw)
  add_dependencies(tawa_generated ${target})
endfunction()

# tawa_add_unit_test(<name> [SANITIZED] SOURCES ... DEPS ... [LABELS ...]): a GoogleTest program registered with CTest.
# SANITIZED marks those that `./dev asan` builds and runs, by the target and the label of that name: what works by hand on
# memory and links no LLVM. Debian's libraries are not instrumented, and code that shares containers with them would give
# false alarms.
add_custom_target(sanitized)
function(tawa_add_unit_test name)
  cmake_parse_arguments(ARG "SANITIZED" "" "SOURCES;DEPS;LABELS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  if(ARG_SANITIZED)
    add_dependencies(sanitized ${name})
    list(APPEND ARG_LABELS sanitized)
  endif()
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
  target_link_libraries(${name} PRIVATE ${ARG_DEPS} GTest::gtest GTest::gtest_main Threads::Threads tawa_compile_options)
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT 600)
endfunction()
