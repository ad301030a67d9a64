#include "base/files/own_files.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <sstream>

#include "base/files/files.hpp"

namespace elmx {
namespace {

namespace fs = std::filesystem;

constexpr const char* kList = ".elmx-files";

bool there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(path, ignored));
}

/// Returns true for FILE and FOLDER/FILE. Other names are ignored, so that no list, whoever wrote it, can
/// make elmx remove files outside of the folder.
bool is_name(const fs::path& name) {
  return name.is_relative() && name.has_filename() && name == name.lexically_normal() && *name.begin() != ".." &&
         std::distance(name.begin(), name.end()) <= 2;
}

std::set<std::string> own_files(const fs::path& folder) {
  std::set<std::string> names;
  if (!there(folder / kList)) return names;
  std::istringstream list(read_file(folder / kList));
  for (std::string name; std::getline(list, name);) {
    if (is_name(name)) names.insert(name);
  }
  return names;
}

[[noreturn]] void refuse_foreign(const fs::path& found) {
  throw OutputError(found.string(),
                    fmt::format("elmx has not written this file or folder ({} does not list it), and it "
                                "is in the way of the results; move it away or choose another results "
                                "folder with -o",
                                kList));
}

}  // namespace

void refuse_files_in_the_way(const fs::path& folder, const std::vector<std::string>& names) {
  std::error_code ignored;
  const bool some = std::ranges::any_of(names, [&](const std::string& name) { return there(folder / name); });
  const std::set<std::string> own = some ? own_files(folder) : std::set<std::string>();
  for (const std::string& name : names) {
    const fs::path file = folder / name, above = file.parent_path();
    if (there(above) && !fs::is_directory(above, ignored)) refuse_foreign(above);
    if (fs::is_directory(file, ignored) || (there(file) && !own.contains(name))) refuse_foreign(file);
  }
}

void claim_files(const fs::path& folder, const std::vector<std::string>& names) {
  refuse_files_in_the_way(folder, names);
  std::vector<std::string> added;
  for (const std::string& name : names) {
    expects(is_name(name), "claim_files: a name below the folder");
    if (!there(folder / name)) added.push_back(name);
    std::error_code ignored;  // the later write reports a missing folder
    fs::create_directories((folder / name).parent_path(), ignored);
  }
  if (!added.empty()) note_own_files(folder, added);
}

void note_own_files(const fs::path& folder, const std::vector<std::string>& names) {
  // The first line feed ends a line that a power failure has torn.
  const Descriptor list(folder / kList, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW);
  if (!list || !write_all(list.number(), fmt::format("\n{}\n", fmt::join(names, "\n"))) ||
      !wait_for_disk(list.number()))
    refuse_write(folder / kList);
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
  std::set<std::string> names = own_files(folder);
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
  if (there(folder / kList)) write_file(folder / kList, fmt::format("{}\n", fmt::join(names, "\n")));
}

}  // namespace elmx
