// The part of SQLite that the store uses, with results as Status: a connection and statements that close themselves.
#pragma once

#include "runtime/support/Status.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <sys/types.h>

struct sqlite3;
struct sqlite3_stmt;

namespace tawa::store {

/// A prepared statement. Bind from 1 on, step, read columns from 0 on; must not outlive its connection.
class Statement {
public:
  explicit Statement(sqlite3_stmt *handle) : handle(handle) {}

  /// Bytes are not copied: they must live until the statement is reset or gone.
  Statement &bind(int index, int64_t value);
  Statement &bindText(int index, std::string_view text);
  Statement &bindBlob(int index, std::string_view bytes);

  /// True: there is a row to read; false: done.
  Result<bool> step();
  /// For statements that give no rows.
  Status run();

  int64_t integer(int column) const;
  /// Text or blob as it lies there; a column of another type is empty.
  std::string text(int column) const;
  std::string blob(int column) const;

private:
  struct Finalize {
    void operator()(sqlite3_stmt *statement) const;
  };
  std::unique_ptr<sqlite3_stmt, Finalize> handle;
};

/// A connection. One thread at a time; not across fork(): a child's destructor leaves it alone.
class Database {
public:
  enum class Mode : uint8_t {
    Write,     ///< Made with mode 0600 if it is not there.
    Read,      ///< With locks, as others may write. Changes nothing itself, but what a writer that was killed left
               ///< half done is undone, where the file system permits.
    Immutable, ///< Never written: no locks, works on any file system.
  };
  static Result<Database> open(const std::string &path, Mode mode, int busyMilliseconds);

  Result<Statement> prepare(std::string_view sql);
  /// Statements without parameters, whose rows are not wanted.
  Status execute(const char *sql);
  /// Its path.
  std::string file() const;
  /// The first column of the first row.
  Result<int64_t> number(const char *sql);
  /// Ignores failures: SQLite needs memory for a message, and a destructor cannot report one.
  void rollBack();
  bool isInTransaction() const;
  /// Rows changed by the last statement.
  int64_t changes() const;
  /// How long the next statements wait for a lock of other processes.
  void waitFor(int milliseconds);
  /// False in a child made by fork() since the file was opened: it must not be used there.
  bool isOurs() const;
  /// Empties a file that is no database any more, under its locks, so that other processes that have it open stay safe.
  Status reset();

private:
  struct Close {
    pid_t owner;
    void operator()(sqlite3 *database) const;
  };
  explicit Database(sqlite3 *handle);
  std::unique_ptr<sqlite3, Close> handle;
};

/// The error that a journal exists beside the file, and its remedy.
Status unfinishedChange(const std::string &file);

/// A transaction that is rolled back unless committed.
class Transaction {
public:
  /// Takes the write lock immediately, so that no later statement fails because the file is busy.
  static Result<Transaction> begin(Database &database);
  /// For several reads of one state.
  static Result<Transaction> beginRead(Database &database);
  Transaction(Transaction &&other) noexcept : database(std::exchange(other.database, nullptr)) {}
  Transaction &operator=(Transaction &&) = delete;
  ~Transaction();
  Status commit();

private:
  explicit Transaction(Database *database) : database(database) {}
  static Result<Transaction> start(Database &database, const char *sql);
  Database *database;
};

} // namespace tawa::store
