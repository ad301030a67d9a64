#include "fuzz/target.hpp"

#include <algorithm>
#include <deque>
#include <set>
#include <stdexcept>

#include "data/load.hpp"
#include "data/table/table.hpp"

namespace elmx::fuzz {
namespace {

constexpr std::string_view kPartMark = "#part\n";
constexpr std::size_t kLongestRefusal = 4096;

bool is_utf8(const std::string& text) {
  try {
    static_cast<void>(Json(text).dump());
    return true;
  } catch (const Json::type_error&) {
    return false;
  }
}

void check_targets(const Dataset& data) {
  const arma::uword N = data.X.n_rows;
  if (data.task == Task::regression) {
    require(data.Y.n_rows == N && data.Y.n_cols >= 1 && data.labels.empty(), "regression: Y is N x c");
    require(data.Y.is_finite(), "regression: Y is finite");
    return;
  }
  require(data.labels.n_elem == N && data.Y.empty(), "classification: N labels");
  const std::set<arma::uword> used(data.labels.begin(), data.labels.end());
  require(used.size() == data.classes.size() && *used.rbegin() + 1 == data.classes.size(), "every class has a sample");
  const std::set<std::string> names(data.classes.begin(), data.classes.end());
  require(names.size() == data.classes.size(), "the names of classes differ");
}

/// What data/dataset.hpp says of a data set.
void check(const Dataset& data) {
  require(data.X.n_rows >= 1 && data.X.n_cols >= 1, "X has a row and a column");
  require(!data.X.has_inf() && (data.missing || data.X.is_finite()), "X is finite, but for missing values");
  require(data.inputs.size() == data.X.n_cols, "a name for each input");
  require(data.published_train <= data.X.n_rows, "the training part is a part");
  check_targets(data);
}

}  // namespace

std::vector<Target>& targets() {
  static std::vector<Target> all;
  return all;
}

std::size_t Choices::of(std::size_t count) {
  if (rest_.empty()) return 0;
  const auto byte = static_cast<unsigned char>(rest_.front());
  rest_.remove_prefix(1);
  return byte % count;
}

std::vector<std::string_view> parts(std::string_view bytes, std::size_t most) {
  std::vector<std::string_view> found;
  while (found.size() + 1 < most) {
    const std::size_t end = bytes.find(kPartMark);
    if (end == std::string_view::npos) break;
    found.push_back(bytes.substr(0, end));
    bytes.remove_prefix(end + kPartMark.size());
  }
  found.push_back(bytes);
  return found;
}

void require(bool condition, const std::string& what) {
  if (!condition) throw std::logic_error(what);
}

void check_refusal(const std::string& message) {
  const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
  require(message.find(": ") != std::string::npos, "the refusal names its place: " + message);
  require(std::ranges::none_of(message, is_control), "the refusal is one line: " + message);
  require(is_utf8(message), "the refusal is UTF-8: " + message);
  require(message.size() <= kLongestRefusal, "the refusal is short: " + message.substr(0, 100));
}

void load(std::string_view bytes, const DataOptions& options, const std::vector<std::string*>& paths) {
  std::deque<MemoryFile> files;
  for (const std::string_view part : parts(bytes, paths.size())) {
    std::string& path = *paths[files.size()];
    path = files.emplace_back(part).path();
  }
  refused_or([&] {
    const Dataset data = load_dataset(options, {}, "", 1);
    check(data);
    static_cast<void>(write_options(data.report)
                          .dump(-1, ' ', false, Json::error_handler_t::replace));  // data.json of the results folder
  });
}

}  // namespace elmx::fuzz
