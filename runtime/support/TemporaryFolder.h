// TemporaryFolder: a new folder where the system keeps temporary files, removed with the object.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace tawa {

struct TemporaryFolder {
  std::filesystem::path path; ///< Empty where none could be made.

  TemporaryFolder() {
    std::error_code ignored;
    std::string name = (std::filesystem::temp_directory_path(ignored) / "tawa-").string() + std::string(kRandom, 'X');
    if (mkdtemp(name.data()))
      path = name;
  }
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path.empty())
      std::filesystem::remove_all(path, ignored);
  }

private:
  static constexpr size_t kRandom = 6; ///< Characters that mkdtemp replaces.
};

} // namespace tawa
