# tawa_sqlite: SQLite to be linked into our own libraries. The static one, so that its symbols stay hidden in libtawa; it
# wants zlib, as Debian builds it. The shared one where there is no other.
find_path(TAWA_SQLITE_INCLUDE_DIR sqlite3.h REQUIRED)
find_library(TAWA_SQLITE_LIBRARY NAMES libsqlite3.a sqlite3 REQUIRED)
add_library(tawa_sqlite INTERFACE)
target_include_directories(tawa_sqlite SYSTEM INTERFACE ${TAWA_SQLITE_INCLUDE_DIR})
target_link_libraries(tawa_sqlite INTERFACE ${TAWA_SQLITE_LIBRARY} Threads::Threads ${CMAKE_DL_LIBS} m)
if(TAWA_SQLITE_LIBRARY MATCHES "\\.a$")
  find_package(ZLIB REQUIRED)
  target_link_libraries(tawa_sqlite INTERFACE ZLIB::ZLIB)
endif()
