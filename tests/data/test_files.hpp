#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "support/thrown.hpp"

namespace elmx {

/// A folder of its own for one test, empty at the start and gone at the end.
class TestFolder {
 public:
  TestFolder() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    path_ = std::filesystem::path(testing::TempDir()) / (std::string(test->test_suite_name()) + "." + test->name());
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~TestFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  std::filesystem::path write(const std::string& name, std::string_view content) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << content;
    return path_ / name;
  }

  /// Every file below the folder, relative, in order; one a line.
  std::string listing() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path_)) {
      if (entry.is_regular_file()) names.insert(std::filesystem::relative(entry.path(), path_).string());
    }
    std::string text;
    for (const std::string& name : names) text += name + "\n";
    return text;
  }

 private:
  std::filesystem::path path_;
};

inline bool contains_text(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Returns true if all parts occur in the text, such as the names in a message.
inline testing::AssertionResult names_all(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) {
    if (!contains_text(text, part)) return testing::AssertionFailure() << '"' << part << "\" is not in: " << text;
  }
  return testing::AssertionSuccess();
}

}  // namespace elmx
