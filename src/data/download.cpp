#include "data/download.hpp"

#include <curl/curl.h>

#include <array>
#include <fstream>
#include <memory>
#include <mutex>

#include "base/error.hpp"

namespace elmx {
namespace {

constexpr long kConnectSeconds = 30;
constexpr long kStalledSeconds = 60;
constexpr long kRedirects = 10;
constexpr long kFirstErrorStatus = 400;

struct CloseCurl {
  void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
};
using Handle = std::unique_ptr<CURL, CloseCurl>;

Handle open_curl() {
  static std::once_flag once;
  std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
  Handle handle(curl_easy_init());
  if (!handle) throw std::bad_alloc();
  return handle;
}

std::size_t write_block(char* bytes, std::size_t, std::size_t size, void* file) {
  auto& out = *static_cast<std::ofstream*>(file);
  out.write(bytes, static_cast<std::streamsize>(size));
  return out ? size : 0;
}

int report_progress(void* progress, curl_off_t total, curl_off_t done, curl_off_t, curl_off_t) {
  (*static_cast<const DownloadProgress*>(progress))(static_cast<std::size_t>(done), static_cast<std::size_t>(total));
  return 0;
}

void set_options(CURL* curl, const std::string& url, std::ofstream& out, const DownloadProgress& progress) {
  curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
  curl_easy_setopt(curl, CURLOPT_MAXREDIRS, kRedirects);
  curl_easy_setopt(curl, CURLOPT_USERAGENT, "elmx");
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
  curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
  curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, kStalledSeconds);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, write_block);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &out);
  if (progress) {
    curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, report_progress);
    curl_easy_setopt(curl, CURLOPT_XFERINFODATA, &progress);
  }
}

/// "" or what went wrong.
std::string transfer(const std::string& url, std::ofstream& out, const DownloadProgress& progress) {
  const Handle curl = open_curl();
  std::array<char, CURL_ERROR_SIZE> reason{};
  curl_easy_setopt(curl.get(), CURLOPT_ERRORBUFFER, reason.data());
  set_options(curl.get(), url, out, progress);

  const CURLcode code = curl_easy_perform(curl.get());
  if (code != CURLE_OK) return reason[0] ? reason.data() : curl_easy_strerror(code);
  long status = 0;
  curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &status);
  return status >= kFirstErrorStatus ? "HTTP status " + std::to_string(status) + "; 200 is expected" : "";
}

}  // namespace

void download(const std::string& url, const std::filesystem::path& to, const DownloadProgress& progress) {
  std::string problem;
  {
    std::ofstream out(to, std::ios::binary | std::ios::trunc);
    problem = out ? transfer(url, out, progress) : to.string() + " cannot be written";
    out.flush();
    if (problem.empty() && !out) problem = to.string() + " cannot be written";
  }
  if (problem.empty()) return;
  std::error_code ignored;
  std::filesystem::remove(to, ignored);
  throw DataError(url + ": " + problem);
}

}  // namespace elmx
