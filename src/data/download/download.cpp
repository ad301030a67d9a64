#include <curl/curl.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <optional>

#include "base/error.hpp"
#include "base/files/files.hpp"
#include "base/files/sha256.hpp"
#include "base/printable.hpp"
#include "data/download/fetch.hpp"

namespace elmx {
namespace {

using Seconds = std::chrono::duration<double>;

constexpr int kAttempts = 5;
constexpr long kConnectSeconds = 30;
constexpr long kLeastRate = 1024;  // bytes a second
constexpr long kRedirects = 10;
constexpr long kOk = 200, kPartial = 206, kBeyondTheEnd = 416;
constexpr double kClockError = 0.05;
constexpr std::size_t kKeyDigits = 16;
constexpr int kNames = 100;

/// A partial download beside its final place: ".NAME.KEY.part", or ".NAME.KEY-1.part" and so on if another
/// process uses this file or the name belongs to anything but a file of this user. No link is followed. The
/// destructor removes the file unless it was kept. Throws ConfigError if the file cannot be written.
class PartialFile {
 public:
  PartialFile(const std::filesystem::path& place, std::string_view key) : place_(place) {
    const std::string digits = sha256(key).substr(0, kKeyDigits);
    for (int i = 0; i < kNames && !file_; ++i) {
      const std::string number = i == 0 ? "" : "-" + std::to_string(i);
      open(place.parent_path() / fmt::format(".{}.{}{}.part", place.filename().string(), digits, number));
    }
    if (!file_) refuse_write(place_);
  }
  ~PartialFile() {
    if (!kept_) ::unlink(path_.c_str());
  }
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;

  std::size_t size() const { return size_; }

  void clear() {
    if (::ftruncate(file_->number(), 0) != 0) refuse_write(place_);
    size_ = 0;
  }

  void append(std::string_view bytes) {
    if (!write_all(file_->number(), bytes)) refuse_write(place_);
    size_ += bytes.size();
  }

  std::string content() const { return read_file(fmt::format("/proc/self/fd/{}", file_->number())); }

  /// Leaves the bytes for the next object with this key; false if there are none.
  bool keep() { return kept_ = size_ > 0; }

 private:
  /// Opens the file unless it is another process's or not a file of this user's own under this one name.
  void open(const std::filesystem::path& path) {
    // O_NONBLOCK: a FIFO under the name
    Descriptor file(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK);
    struct stat opened {};
    // without a name: another process has removed the file meanwhile
    const bool mine = file && ::flock(file.number(), LOCK_EX | LOCK_NB) == 0 && ::fstat(file.number(), &opened) == 0 &&
                      S_ISREG(opened.st_mode) && opened.st_nlink == 1 && opened.st_uid == ::geteuid();
    if (!mine) return;
    path_ = path;
    file_ = std::move(file);
    size_ = static_cast<std::size_t>(opened.st_size);
  }

  std::filesystem::path place_;
  std::filesystem::path path_;
  std::optional<Descriptor> file_;
  std::size_t size_ = 0;
  bool kept_ = false;
};

CURL* open_curl() {
  static std::once_flag once;
  std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
  CURL* handle = curl_easy_init();
  if (handle == nullptr) throw std::bad_alloc();
  return handle;
}

/// One request of a download, and the handling of its response.
class Transfer {
 public:
  enum class End { complete, again, refused };

  Transfer(const Download& wanted, PartialFile& to)
      : wanted_(wanted),
        to_(to),
        curl_(open_curl(), curl_easy_cleanup),
        left_(Seconds(wanted.limits.seconds) - (DownloadClock::now() - wanted.begin)),
        before_(to.size()),
        offset_(to.size()) {}

  /// Throws ConfigError: the bytes cannot be written.
  End run() {
    set_options();
    const CURLcode code = curl_easy_perform(curl_.get());
    if (failure_) std::rethrow_exception(failure_);
    if (code == CURLE_OK && !judged_) response_is_right();
    if (begin_anew_) {
      to_.clear();
      return End::again;
    }
    if (code == CURLE_OPERATION_TIMEDOUT) problem_ = time_problem();
    if (code == CURLE_FILESIZE_EXCEEDED) {
      problem_ = expected_size() + ", found a larger file";
      to_.clear();
    }
    if (!problem_.empty()) return End::refused;
    if (code != CURLE_OK) problem_ = reason_[0] ? reason_.data() : curl_easy_strerror(code);
    if (code == CURLE_OK && wanted_.exact && to_.size() < wanted_.most)
      problem_ = fmt::format("{}, the server sent {}", expected_size(), to_.size());
    if (problem_.empty()) return End::complete;
    return to_.size() > before_ ? End::again : End::refused;
  }

  bool goes_on() const { return offset_ > 0; }
  const std::string& problem() const { return problem_; }

 private:
  template <class Value>
  void set(CURLoption option, Value value) {
    curl_easy_setopt(curl_.get(), option, value);
  }

  void set_options() {
    set(CURLOPT_URL, wanted_.url.c_str());
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_REDIR_PROTOCOLS_STR, wanted_.url.starts_with("http:") ? "http,https" : "https");
    set(CURLOPT_FOLLOWLOCATION, 1L);
    set(CURLOPT_MAXREDIRS, kRedirects);
    set(CURLOPT_USERAGENT, "elmx");
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
    set(CURLOPT_TIMEOUT_MS, std::max(1L, static_cast<long>(1000 * left_.count())));
    set(CURLOPT_LOW_SPEED_LIMIT, kLeastRate);
    set(CURLOPT_LOW_SPEED_TIME, static_cast<long>(wanted_.limits.stalled_seconds));
    set(CURLOPT_MAXFILESIZE_LARGE, static_cast<curl_off_t>(wanted_.most));
    set(CURLOPT_ERRORBUFFER, reason_.data());
    if (const char* trusted = std::getenv("SSL_CERT_FILE"); trusted != nullptr && *trusted != '\0')
      set(CURLOPT_CAINFO, trusted);
    if (goes_on()) set(CURLOPT_RANGE, (std::to_string(offset_) + "-").c_str());
    set(CURLOPT_WRITEFUNCTION, &Transfer::write_block);
    set(CURLOPT_WRITEDATA, this);
    if (wanted_.progress) {
      set(CURLOPT_NOPROGRESS, 0L);
      set(CURLOPT_XFERINFOFUNCTION, &Transfer::report);
      set(CURLOPT_XFERINFODATA, this);
    }
  }

  /// Returns true for "Content-Range: bytes 5-9/10" if the file has 5 bytes and 10 are expected.
  bool continues_here() const {
    curl_header* range = nullptr;
    if (curl_easy_header(curl_.get(), "Content-Range", 0, CURLH_HEADER, -1, &range) != CURLHE_OK) return false;
    const std::string_view value = range->value;
    if (!value.starts_with(fmt::format("bytes {}-", offset_))) return false;
    return !wanted_.exact || value.ends_with("/*") || value.ends_with("/" + std::to_string(wanted_.most));
  }

  /// Judges the response before its first byte, or at the end of an empty response.
  bool response_is_right() {
    judged_ = true;
    long status = 0;
    curl_easy_getinfo(curl_.get(), CURLINFO_RESPONSE_CODE, &status);
    if (goes_on() && status == kPartial && continues_here()) return true;
    if (status == kOk) {  // the whole content, even if a range was requested
      offset_ = 0;
      to_.clear();
      return true;
    }
    begin_anew_ = goes_on() && (status == kPartial || status == kBeyondTheEnd);
    problem_ = fmt::format("expected HTTP status 200, found {}", status);
    return false;
  }

  bool take(std::string_view bytes) {
    if (!judged_ && !response_is_right()) return false;
    if (bytes.size() > wanted_.most - to_.size()) {
      problem_ = expected_size() + ", the server sends more";
      to_.clear();
      return false;
    }
    to_.append(bytes);
    return true;
  }

  std::string expected_size() const {
    return fmt::format("expected {}{}", wanted_.exact ? "" : "at most ", counted(wanted_.most, "byte"));
  }

  std::string time_problem() const {
    double taken = 0, connected = 0;
    curl_easy_getinfo(curl_.get(), CURLINFO_TOTAL_TIME, &taken);
    curl_easy_getinfo(curl_.get(), CURLINFO_CONNECT_TIME, &connected);
    if (taken + kClockError >= left_.count())
      return fmt::format("not complete after {} s; use --timeout for more time", wanted_.limits.seconds);
    if (connected == 0) return reason_.data();
    return fmt::format("fewer than {} bytes per second for {} s; use --stall-timeout for more time", kLeastRate,
                       wanted_.limits.stalled_seconds);
  }

  // No exception may pass through libcurl.
  static std::size_t write_block(char* bytes, std::size_t, std::size_t size, void* transfer) {
    auto& self = *static_cast<Transfer*>(transfer);
    try {
      return self.take({bytes, size}) ? size : 0;
    } catch (...) {
      self.failure_ = std::current_exception();
      return 0;
    }
  }

  static int report(void* transfer, curl_off_t total, curl_off_t, curl_off_t, curl_off_t) {
    const auto& self = *static_cast<Transfer*>(transfer);
    const std::size_t all = total > 0 ? self.offset_ + static_cast<std::size_t>(total) : 0;
    self.wanted_.progress(self.to_.size(), self.wanted_.exact ? self.wanted_.most : all);
    return 0;
  }

  const Download& wanted_;
  PartialFile& to_;
  std::unique_ptr<CURL, void (*)(CURL*)> curl_;
  std::array<char, CURL_ERROR_SIZE> reason_{};
  Seconds left_;
  std::size_t before_;  // bytes before the request
  std::size_t offset_;  // where this response begins
  bool judged_ = false;
  bool begin_anew_ = false;
  std::exception_ptr failure_;  // of a write
  std::string problem_;
};

/// Makes the file complete; returns whether it came in one piece.
bool complete(const Download& wanted, PartialFile& to) {
  if (to.size() > wanted.most) to.clear();
  if (wanted.exact && to.size() == wanted.most && to.size() > 0) return false;
  std::string problem;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    Transfer transfer(wanted, to);
    const Transfer::End end = transfer.run();
    if (end == Transfer::End::complete) return !transfer.goes_on();
    problem = transfer.problem();
    if (end == Transfer::End::refused) break;
  }
  if (to.keep()) problem += fmt::format(" (the next fetch resumes after the {} bytes received so far)", to.size());
  throw DataError(wanted.url, problem);
}

}  // namespace

std::string download(const Download& wanted, const std::function<std::string(std::string)>& accept) {
  PartialFile arrived(wanted.place, wanted.key);
  const bool whole = complete(wanted, arrived);
  try {
    return accept(arrived.content());
  } catch (const DataError&) {
    if (whole) throw;
  }
  arrived.clear();
  complete(wanted, arrived);
  return accept(arrived.content());
}

}  // namespace elmx
