# cmake -DFROM=... -DTO=... -P: the passes that mlir-tblgen generated, with counters of our own in place of LLVM's
# statistics, which a release build of LLVM compiles to nothing (compiler/support/PassCounter.h). The output is only
# written if it changes.
file(READ ${FROM} text)
string(REPLACE "::mlir::Pass::Statistic " "::tawa::PassCounter " text "${text}")
if(text MATCHES "Pass::Statistic")
  message(FATAL_ERROR "${FROM}: a statistic that is not declared the way this script expects")
endif()
set(before)
if(EXISTS ${TO})
  file(READ ${TO} before)
endif()
if(NOT text STREQUAL before)
  file(WRITE ${TO} "${text}")
endif()
