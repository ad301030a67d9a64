#include "data/download/transfer.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <mutex>
#include <new>

namespace elmx {
namespace {

constexpr long kConnectSeconds = 30;
constexpr long kRedirects = 10;
constexpr long kOk = 200, kPartial = 206, kBeyondTheEnd = 416;
constexpr double kClockError = 0.05;

CURL* open_curl() {
  static std::once_flag once;
  std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
  CURL* handle = curl_easy_init();
  if (handle == nullptr) throw std::bad_alloc();
  return handle;
}

}  // namespace

Transfer::Transfer(const std::string& url, StagedFile& to, DownloadSize expected, const DownloadProgress& progress)
    : url_(url),
      to_(to),
      expected_(expected),
      progress_(progress),
      curl_(open_curl(), curl_easy_cleanup),
      offset_(to.size()) {}

void Transfer::set_options(const DownloadLimits& limits, Seconds left) {
  set(CURLOPT_URL, url_.c_str());
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_REDIR_PROTOCOLS_STR, url_.starts_with("http:") ? "http,https" : "https");
  set(CURLOPT_FOLLOWLOCATION, 1L);
  set(CURLOPT_MAXREDIRS, kRedirects);
  set(CURLOPT_USERAGENT, "elmx");
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
  set(CURLOPT_TIMEOUT_MS, std::max(1L, static_cast<long>(1000 * left.count())));
  set(CURLOPT_LOW_SPEED_LIMIT, static_cast<long>(kLeastRate));
  set(CURLOPT_LOW_SPEED_TIME, static_cast<long>(limits.stalled_seconds));
  set(CURLOPT_MAXFILESIZE_LARGE, static_cast<curl_off_t>(expected_.most));
  set(CURLOPT_ERRORBUFFER, reason_.data());
  if (const char* trusted = std::getenv("SSL_CERT_FILE"); trusted != nullptr && *trusted != '\0')
    set(CURLOPT_CAINFO, trusted);
  if (offset_ > 0) set(CURLOPT_RANGE, (std::to_string(offset_) + "-").c_str());
  set(CURLOPT_WRITEFUNCTION, &Transfer::write_block);
  set(CURLOPT_WRITEDATA, this);
  if (progress_) {
    set(CURLOPT_NOPROGRESS, 0L);
    set(CURLOPT_XFERINFOFUNCTION, &Transfer::report);
    set(CURLOPT_XFERINFODATA, this);
  }
}

/// "Content-Range: bytes 5-9/10" where the file has 5 bytes and 10 are expected.
bool Transfer::continues_here() const {
  curl_header* range = nullptr;
  if (curl_easy_header(curl_.get(), "Content-Range", 0, CURLH_HEADER, -1, &range) != CURLHE_OK) return false;
  const std::string_view value = range->value;
  if (!value.starts_with(fmt::format("bytes {}-", offset_))) return false;
  return !expected_.exact || value.ends_with("/*") || value.ends_with("/" + std::to_string(expected_.most));
}

/// Before the first byte, or at the end where there is none.
bool Transfer::answer_is_right() {
  judged_ = true;
  long status = 0;
  curl_easy_getinfo(curl_.get(), CURLINFO_RESPONSE_CODE, &status);
  if (goes_on() && status == kPartial && continues_here()) return true;
  if (status == kOk) {  // from its beginning, whatever was asked for
    offset_ = 0;
    return empty_file();
  }
  begin_anew_ = goes_on() && (status == kPartial || status == kBeyondTheEnd);
  problem_ = fmt::format("HTTP status {}; 200 is expected", status);
  return false;
}

bool Transfer::take(std::string_view bytes) {
  if (!judged_ && !answer_is_right()) return false;
  if (bytes.size() > expected_.most - to_.size()) {
    problem_ = fmt::format("more than {} bytes; {}", expected_.most, sizes());
    empty_file();
    return false;
  }
  if (to_.append(bytes)) return true;
  write_error_ = errno;
  return false;
}

bool Transfer::empty_file() {
  if (to_.clear()) return true;
  write_error_ = errno;
  return false;
}

std::string Transfer::sizes() const {
  return fmt::format("{}{} are expected", expected_.exact ? "" : "at most ", expected_.most);
}

void Transfer::report_progress(std::size_t total) const {
  const std::size_t all = total > 0 ? offset_ + total : 0;
  progress_(to_.size(), expected_.exact ? expected_.most : all);
}

std::string Transfer::time_problem(const DownloadLimits& limits, Seconds left) const {
  double taken = 0, connected = 0;
  curl_easy_getinfo(curl_.get(), CURLINFO_TOTAL_TIME, &taken);
  curl_easy_getinfo(curl_.get(), CURLINFO_CONNECT_TIME, &connected);
  if (taken + kClockError >= left.count()) {
    return fmt::format("not complete after {} s; --timeout allows another time", limits.seconds);
  }
  if (connected == 0) return reason_.data();
  return fmt::format("less than {} bytes a second for {} s; --stall-timeout allows another time", kLeastRate,
                     limits.stalled_seconds);
}

Transfer::End Transfer::run(const DownloadLimits& limits, Seconds left) {
  set_options(limits, left);
  const CURLcode code = curl_easy_perform(curl_.get());
  if (code == CURLE_OK && !judged_) answer_is_right();
  if (write_error_ != 0) return End::refused;
  if (begin_anew_) return empty_file() ? End::begin_anew : End::refused;
  if (code == CURLE_OPERATION_TIMEDOUT) problem_ = time_problem(limits, left);
  if (code == CURLE_FILESIZE_EXCEEDED) {
    problem_ = "a larger file; " + sizes();
    empty_file();
  }
  if (!problem_.empty()) return End::refused;
  if (code != CURLE_OK) problem_ = reason_[0] ? reason_.data() : curl_easy_strerror(code);
  if (code == CURLE_OK && expected_.exact && to_.size() < expected_.most)
    problem_ = fmt::format("the server sent {} bytes; {}", to_.size(), sizes());
  return problem_.empty() ? End::complete : End::broken;
}

std::size_t Transfer::write_block(char* bytes, std::size_t, std::size_t size, void* transfer) {
  return static_cast<Transfer*>(transfer)->take({bytes, size}) ? size : 0;
}

int Transfer::report(void* transfer, curl_off_t total, curl_off_t, curl_off_t, curl_off_t) {
  static_cast<Transfer*>(transfer)->report_progress(static_cast<std::size_t>(total));
  return 0;
}

}  // namespace elmx
