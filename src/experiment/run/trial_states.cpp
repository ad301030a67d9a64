#include "experiment/run/trial_states.hpp"

#include <fmt/core.h>

#include "base/error.hpp"
#include "base/files/files.hpp"
#include "base/files/own_files.hpp"
#include "base/files/sha256.hpp"

namespace elmx {
namespace {

constexpr std::string_view kMagic = "elmx state, format 1\n";

struct State {
  Record record;
  std::string of_training;
};

/// Joins the machines on which a resumed trial was trained before and is trained now.
std::string both_machines(const std::string& before, const std::string& now) {
  const bool same = before.empty() || before == now || before.ends_with("; " + now);
  return same ? before : before + "; " + now;
}

/// Removes the first line with its line feed from the text and returns the line.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) throw DataError("the state is truncated");
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end + 1);
  return line;
}

/// Decodes and verifies a state. Throws DataError with the reason.
State decode(std::string_view bytes) {
  if (!bytes.starts_with(kMagic)) throw DataError("not a state of this version of elmx");
  bytes.remove_prefix(kMagic.size());
  const std::string_view checksum = take_line(bytes);
  if (checksum != sha256(bytes)) throw DataError("the state is truncated or damaged: its SHA-256 does not match");
  const std::string_view record = take_line(bytes);
  try {
    return {record_from_json(parse_json(std::string(record), "record")), std::string(bytes)};
  } catch (const Json::exception& error) {
    throw DataError(std::string("not a valid record: ") + error.what());
  }
}

}  // namespace

void TrialStates::end(const std::string& key) {
  std::error_code ignored;  // a remaining file of a finished trial is never read again
  std::filesystem::remove(file(key), ignored);
  std::filesystem::remove(folder_, ignored);  // succeeds only if the folder is empty
}

void TrialStates::begin(Record& record) {
  record_ = &record;
  machine_ = record.machine;
  saved_.reset();
  std::error_code ignored;
  if (folder_.empty() || !std::filesystem::exists(file(record.key), ignored)) return;
  try {
    State state = decode(read_file(file(record.key)));
    if (state.record.key != record.key) throw DataError("the state belongs to another trial, " + state.record.key);
    record.status = state.record.status;
    record.feature_seconds = state.record.feature_seconds;
    record.steps = std::move(state.record.steps);
    record.machine = both_machines(state.record.machine, machine_);
    saved_ = std::move(state.of_training);
  } catch (const UserError& error) {
    refuse(error.what());
  }
}

void TrialStates::refuse(const std::string& why) {
  record_->status = "ok";
  record_->feature_seconds = 0;
  record_->steps.clear();
  record_->machine = machine_;
  saved_.reset();
  if (note_) note_(fmt::format("{}: {}; its trial starts again", file(record_->key).string(), why));
}

void TrialStates::save(const std::string& state) {
  claim_files(folder_.parent_path(), {"states/" + record_->key + ".state"});
  const std::string content = to_json(*record_).dump() + '\n' + state;
  write_file(file(record_->key), std::string(kMagic) + sha256(content) + '\n' + content);
}

}  // namespace elmx
