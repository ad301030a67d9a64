#include "base/files/own_files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <set>
#include <sstream>

namespace elmx {
namespace {

namespace fs = std::filesystem;

constexpr const char* kList = ".elmx-files";
constexpr int kTimesBetweenSyncs = 20;  // a sync waits for this many times the duration of the last one

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
  const bool some = std::ranges::any_of(names, [&](const std::string& name) { return there(folder / name); });
  const std::set<std::string> own = some ? own_files(folder) : std::set<std::string>();
  for (const std::string& name : names) {
    const fs::path file = folder / name, above = file.parent_path();
    if (there(above) && !is_folder(above)) refuse_foreign(above);
    if (is_folder(file) || (there(file) && !own.contains(name))) refuse_foreign(file);
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

bool is_own_file(const fs::path& path) {
  std::error_code ignored;
  const fs::path file = fs::weakly_canonical(path, ignored), folder = file.parent_path();
  return there(file) && (file.filename() == kList || own_files(folder).contains(file.filename()) ||
                         own_files(folder.parent_path()).contains(folder.filename() / file.filename()));
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

AppendFile::AppendFile(const std::filesystem::path& path) : path_(path), file_(path, O_RDWR | O_CREAT | O_APPEND) {
  if (!file_) refuse_write(path);
  text_ = read_file(path);
  const std::size_t whole = text_.rfind('\n') + 1;  // npos + 1 = 0
  torn_ = text_.size() - whole;
  text_.resize(whole);
  if (::ftruncate(file_.number(), static_cast<off_t>(whole)) != 0) refuse_write(path);
}

AppendFile::~AppendFile() { wait_for_disk(file_.number()); }

void AppendFile::append(std::string_view line) {
  restore();
  const std::size_t before = text_.size();
  text_.append(line) += '\n';
  if (!write_all(file_.number(), std::string_view(text_).substr(before))) {
    const int reason = errno;
    text_.resize(before);
    // If this fails as well, opening the file again removes the incomplete line.
    std::error_code ignored;
    std::filesystem::resize_file(path_, before, ignored);
    errno = reason;
    refuse_write(path_);
  }
  sync_if_due();
}

void AppendFile::restore() {
  struct stat open {
  }, named{};
  const bool there = ::stat(path_.c_str(), &named) == 0;
  const bool same =
      ::fstat(file_.number(), &open) == 0 && there && open.st_dev == named.st_dev && open.st_ino == named.st_ino;
  if (same && static_cast<std::size_t>(open.st_size) >= text_.size()) return;
  if (there && !same) give_up("another file has its name");
  std::error_code ignored;  // opening reports a folder that is not there
  std::filesystem::create_directories(path_.parent_path(), ignored);
  Descriptor anew(path_, O_RDWR | O_APPEND | (there ? O_TRUNC : O_CREAT | O_EXCL));
  if (!anew || !write_all(anew.number(), text_)) give_up(std::strerror(errno));
  file_ = std::move(anew);
  ++restored_;
}

void AppendFile::give_up(const std::string& reason) const {
  const std::string name = "-" + path_.filename().string();
  std::string kept = temporary_place() / ("elmx-XXXXXX" + name);
  const Descriptor file(::mkostemps(kept.data(), static_cast<int>(name.size()), O_CLOEXEC));
  if (!file || !write_all(file.number(), text_) || !wait_for_disk(file.number())) refuse_write(kept);
  throw ConfigError(path_.string(), fmt::format("another program has deleted, cut or replaced this file, and it cannot "
                                                "be restored: {}. The finished records are in {}",
                                                reason, kept));
}

void AppendFile::sync_if_due() {
  const auto begin = std::chrono::steady_clock::now();
  if (begin < next_sync_) return;
  if (!wait_for_disk(file_.number())) refuse_write(path_);
  const auto end = std::chrono::steady_clock::now();
  next_sync_ = end + kTimesBetweenSyncs * (end - begin);
}

}  // namespace elmx
