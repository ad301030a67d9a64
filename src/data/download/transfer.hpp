#pragma once

#include <curl/curl.h>

#include <array>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "data/download/download.hpp"

namespace elmx {

/// One request of a download, and what is taken of its answer.
class Transfer {
 public:
  using Seconds = std::chrono::duration<double>;
  enum class End { complete, broken, begin_anew, refused };

  Transfer(const std::string& url, StagedFile& to, DownloadSize expected, const DownloadProgress& progress);

  End run(const DownloadLimits& limits, Seconds left);

  bool goes_on() const { return offset_ > 0; }
  const std::string& problem() const { return problem_; }
  int write_error() const { return write_error_; }

 private:
  static std::size_t write_block(char* bytes, std::size_t, std::size_t size, void* transfer);
  static int report(void* transfer, curl_off_t total, curl_off_t, curl_off_t, curl_off_t);
  template <class Value>
  void set(CURLoption option, Value value) {
    curl_easy_setopt(curl_.get(), option, value);
  }

  void set_options(const DownloadLimits& limits, Seconds left);
  bool answer_is_right();
  bool continues_here() const;
  bool take(std::string_view bytes);
  bool empty_file();
  void report_progress(std::size_t total) const;
  std::string time_problem(const DownloadLimits& limits, Seconds left) const;
  std::string sizes() const;

  const std::string& url_;
  StagedFile& to_;
  DownloadSize expected_;
  const DownloadProgress& progress_;
  std::unique_ptr<CURL, void (*)(CURL*)> curl_;
  std::array<char, CURL_ERROR_SIZE> reason_{};
  std::size_t offset_;  // where this answer begins
  bool judged_ = false;
  bool begin_anew_ = false;
  int write_error_ = 0;
  std::string problem_;
};

}  // namespace elmx
