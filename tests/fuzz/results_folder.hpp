#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>

namespace elmx::fuzz {

/// A results folder of this process, gone at its end.
class ResultsOf {
 public:
  explicit ResultsOf(const std::string& target)
      : path_(std::filesystem::temp_directory_path() / ("elmx-fuzz-" + target + "-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~ResultsOf() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ResultsOf(const ResultsOf&) = delete;
  ResultsOf& operator=(const ResultsOf&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace elmx::fuzz
