#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace elmx {

/// A test with its own folder, which does not exist at the start of the test and is removed at its end.
class ScratchTest : public testing::Test {
 protected:
  ScratchTest() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(testing::TempDir()) /
              ("elmx_" + std::string(test->test_suite_name()) + "." + test->name());
    std::filesystem::remove_all(folder_);
  }
  ~ScratchTest() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  std::string read(const std::string& name) const {
    std::ifstream in(folder_ / name, std::ios::binary);
    std::ostringstream content;
    content << in.rdbuf();
    return std::move(content).str();
  }
  void write(const std::string& name, const std::string& content) const {
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / name, std::ios::binary) << content;
  }

  std::filesystem::path folder_;
};

}  // namespace elmx
