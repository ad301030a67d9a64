#include "data/download/download.hpp"

#include <cerrno>

#include "base/error.hpp"
#include "data/download/transfer.hpp"

namespace elmx {
namespace {

constexpr int kAttempts = 5;

}  // namespace

bool download(const std::string& url, StagedFile& to, DownloadSize expected, const DownloadLimits& limits,
              DownloadClock::time_point begin, const DownloadProgress& progress) {
  if (to.size() > expected.most && !to.clear()) to.refuse();
  if (expected.exact && to.size() == expected.most && to.size() > 0) return false;
  std::string problem = "not begun";
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const std::size_t before = to.size();
    Transfer transfer(url, to, expected, progress);
    const Transfer::End end = transfer.run(limits, Transfer::Seconds(limits.seconds) - (DownloadClock::now() - begin));
    if (end == Transfer::End::complete) return !transfer.goes_on();
    if (transfer.write_error() != 0) {
      errno = transfer.write_error();
      to.refuse();
    }
    problem = transfer.problem();
    if (end == Transfer::End::refused || (end == Transfer::End::broken && to.size() <= before)) break;
  }
  const std::string arrived = std::to_string(to.size());
  if (to.keep()) problem += " (the next fetch goes on behind the " + arrived + " bytes that are here)";
  throw DataError(url + ": " + problem);
}

}  // namespace elmx
