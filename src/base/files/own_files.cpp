#include "base/files/own_files.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <iterator>
#include <set>

#include "base/config/json.hpp"
#include "base/error.hpp"
#include "base/files/descriptor.hpp"
#include "base/files/fsio.hpp"

namespace elmx {
namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

constexpr const char* kList = ".elmx-files";
constexpr std::array kOfARun{"experiment.json", "records.jsonl", "log.txt",         "crashed.txt",  "data.json",
                             "report.html",     "model.h5",      "predictions.csv", "no_model.json"};
constexpr std::array kFolders{"tables", "models", "plots", "states", "imported"};

bool there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(path, ignored));
}

/// Returns true for a valid name of a list. Other names are ignored, so that no list, whoever wrote it, can
/// make elmx remove files outside of the folder.
bool is_name(const std::string& name) {
  const std::size_t slash = name.find('/');
  if (slash == std::string::npos) return std::ranges::count(kOfARun, name) > 0;
  const std::string file = name.substr(slash + 1);
  return std::ranges::count(kFolders, name.substr(0, slash)) > 0 && !file.empty() && file != "." && file != ".." &&
         file.find('/') == std::string::npos;
}

bool describes_run(const fs::path& file) {
  try {
    const Json json = read_json_file(file);
    return json.contains("schema") && json.contains("elmx") && json.contains("resolved");
  } catch (const UserError&) {
    return false;
  }
}

/// "0123456789abcdef", or a name and that: "sinc_alg2_repeat0_fold0-0123456789abcdef".
bool ends_in_key(const std::string& stem) {
  constexpr std::size_t kDigits = 16;
  if (stem.size() < kDigits || (stem.size() > kDigits && stem[stem.size() - kDigits - 1] != '-')) return false;
  return stem.find_first_not_of("0123456789abcdef", stem.size() - kDigits) == std::string::npos;
}

bool begins_with(const fs::path& file, std::string_view beginning) {
  std::string begin(beginning.size(), ' ');
  const Descriptor descriptor(file, O_RDONLY | O_NONBLOCK);
  return descriptor && ::read(descriptor.number(), begin.data(), begin.size()) == std::ssize(begin) &&
         begin == beginning;
}

/// Finds the files that an earlier version of elmx has written into the subfolder `sub`.
Names adopted_from(const fs::path& folder, const std::string& sub) {
  Names names, adopted;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder / sub, none)) names.insert(entry.path().filename().string());
  const auto all = [&](const std::string& stem, std::initializer_list<const char*> ends) {
    return std::ranges::all_of(ends, [&](const char* end) { return names.contains(stem + end); });
  };
  for (const std::string& name : names) {
    const fs::path file(name);
    const std::string stem = file.stem().string(), end = file.extension().string();
    const bool ours = sub == "tables"  ? all(stem, {".md", ".csv", ".tex", ".json", ".html"})
                      : sub == "plots" ? all(stem, {".gp", ".dat"})
                      : sub == "models"
                          ? end == ".h5" && ends_in_key(stem) && begins_with(folder / sub / name, "elmx model, format ")
                      : sub == "states" ? end == ".state" && ends_in_key(stem)
                                        : false;  // earlier versions imported nothing
    if (ours) adopted.insert(sub + "/" + name);
  }
  return adopted;
}

Names adopted(const fs::path& folder) {
  Names names;
  for (const char* sub : kFolders) names.merge(adopted_from(folder, sub));
  if (!describes_run(folder / "experiment.json")) return names;
  for (const char* name : kOfARun) {
    const bool table = std::string_view(name).ends_with(".csv");
    if (table ? begins_with(folder / name, "dataset,method,row,repeat,fold,") : there(folder / name))
      names.insert(name);
  }
  return names;
}

std::string text_of(const Names& names) {
  std::string text;
  for (const std::string& name : names) text += name + '\n';
  return text;
}

Names own_files(const fs::path& folder) {
  if (!there(folder / kList)) return adopted(folder);
  Names names;
  const std::string text = read_file(folder / kList);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (const std::string name = text.substr(begin, end - begin); is_name(name)) names.insert(name);
    begin = end + 1;
  }
  return names;
}

void refuse_in_the_way(const fs::path& found, const std::string& what) {
  throw OutputError(found.string(), fmt::format("{} is in the way of the results; move it away or choose another "
                                                "results folder with -o",
                                                what));
}

/// Throws OutputError if a foreign file or folder has one of the names.
void refuse_foreign(const fs::path& folder, const std::vector<std::string>& names) {
  std::error_code ignored;
  std::vector<std::string> found;
  for (const std::string& name : names) {
    const fs::path above = (folder / name).parent_path();
    if (there(above) && !fs::is_directory(above, ignored)) refuse_in_the_way(above, "a file");
    if (fs::is_directory(folder / name, ignored)) refuse_in_the_way(folder / name, "a folder");
    if (there(folder / name)) found.push_back(name);
  }
  if (found.empty()) return;
  const Names own = own_files(folder);
  for (const std::string& name : found) {
    if (!own.contains(name)) refuse_in_the_way(folder / name, "a file that elmx has not written");
  }
}

/// A line that a power failure has torn ends here.
void append(const fs::path& list, const std::string& lines) {
  const Descriptor file(list, O_WRONLY | O_APPEND);
  if (!file || !write_all(file.number(), "\n" + lines) || !wait_for_disk(file.number())) refuse_write(list);
}

}  // namespace

void refuse_files_in_the_way(const fs::path& folder, const std::vector<std::string>& names) {
  refuse_foreign(folder, names);
}

void claim_files(const fs::path& folder, const std::vector<std::string>& names) {
  refuse_foreign(folder, names);
  std::vector<std::string> added;
  for (const std::string& name : names) {
    expects(is_name(name), "claim_files: a name of elmx");
    if (!there(folder / name)) added.push_back(name);
    std::error_code ignored;  // the later write reports a missing folder
    fs::create_directories((folder / name).parent_path(), ignored);
  }
  if (!added.empty()) note_own_files(folder, added);
}

void note_own_files(const fs::path& folder, const std::vector<std::string>& names) {
  Names added(names.begin(), names.end());
  if (there(folder / kList)) return append(folder / kList, text_of(added));
  added.merge(adopted(folder));
  write_file(folder / kList, text_of(added));
}

void write_own_file(const fs::path& folder, const std::string& name, std::string_view content) {
  claim_files(folder, {name});
  write_file(folder / name, content);
}

bool lacks_own_file(const fs::path& folder, const std::string& beginning) {
  return std::ranges::any_of(
      own_files(folder), [&](const std::string& name) { return name.starts_with(beginning) && !there(folder / name); });
}

void remove_own_files(const fs::path& folder, const std::function<bool(const std::string&)>& goes) {
  Names names = own_files(folder);
  std::set<fs::path> emptied;
  std::error_code ignored;
  std::erase_if(names, [&](const std::string& name) {
    const fs::path file = folder / name, above = file.parent_path();
    const bool elsewhere = above != folder && fs::is_symlink(above, ignored);
    if (!goes(name) || elsewhere || fs::is_directory(fs::symlink_status(file, ignored))) return false;
    if (fs::remove(file, ignored) && above != folder) emptied.insert(above);
    return !there(file);
  });
  for (const fs::path& above : emptied) fs::remove(above, ignored);  // fails unless the folder is empty
  if (there(folder / kList)) write_file(folder / kList, text_of(names));
}

}  // namespace elmx
