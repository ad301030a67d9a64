#include "experiment/unit_states.hpp"

#include "base/error.hpp"
#include "base/fsio.hpp"
#include "base/own_files.hpp"

namespace elmx {

void UnitStates::end(const std::string& key) {
  std::error_code ignored;  // a file that stays is that of a finished unit and is never read again
  std::filesystem::remove(file(key), ignored);
  std::filesystem::remove(folder_, ignored);  // where it was the last one
}

void UnitStates::begin(Record& record) {
  record_ = &record;
  saved_.reset();
  const std::filesystem::path path = file(record.key);
  if (folder_.empty() || !std::filesystem::exists(path)) return;
  const std::string content = read_file(path);
  const std::size_t line = content.find('\n');
  const Json so_far = Json::parse(content.substr(0, line), nullptr, false);
  if (line == std::string::npos || so_far.is_discarded()) throw DataError(path.string() + ": damaged; allowed: to delete it, its unit then begins anew");
  record = record_from_json(so_far);
  saved_ = content.substr(line + 1);
}

void UnitStates::save(const std::string& state) {
  claim_files(folder_.parent_path(), {"states/" + record_->key + ".state"});
  write_file(file(record_->key), to_json(*record_).dump() + '\n' + state);
}

}  // namespace elmx
