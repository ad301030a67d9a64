#include <unistd.h>

#include <chrono>
#include <iostream>

#include "base/machine/machine.hpp"
#include "commands.hpp"
#include "data/download/fetch.hpp"
#include "data_info.hpp"

namespace elmx {
namespace {

/// The entries named, or all that have files.
std::vector<CatalogueEntry> chosen(const std::vector<std::string>& names) {
  const Catalogue catalogue = shipped_catalogue();
  std::vector<CatalogueEntry> entries;
  for (const std::string& name : names) entries.push_back(catalogue.find(name, "NAME"));
  if (names.empty()) {
    for (const CatalogueEntry& entry : catalogue.sets) {
      if (!entry.files.empty()) entries.push_back(entry);
    }
  }
  return entries;
}

constexpr int kMostSeconds = 1000000;
constexpr auto kBetweenLines = std::chrono::milliseconds(100);

/// A line on the terminal that shows the progress of a download.
class ArrivalLine {
 public:
  void show(const CatalogueFile& file, std::size_t done, std::size_t total) {
    const auto now = std::chrono::steady_clock::now();
    if (!is_terminal_ || now < next_) return;
    next_ = now + kBetweenLines;
    std::cerr << kClear << file.path << "  " << show_bytes(static_cast<double>(done));
    if (total > 0) std::cerr << " of " << show_bytes(static_cast<double>(total));
    std::cerr << std::flush;
  }
  void clear() const {
    if (is_terminal_) std::cerr << kClear << std::flush;
  }

 private:
  static constexpr const char* kClear = "\r\033[K";
  bool is_terminal_ = ::isatty(STDERR_FILENO) == 1;
  std::chrono::steady_clock::time_point next_{};
};

/// Fetches every named set. Reports each failure, goes on with the next set, and returns the exit code for
/// data errors if any set failed.
ExitCode fetch_sets(const std::vector<std::string>& names, const Common& common, const DownloadLimits& limits) {
  ArrivalLine line;
  bool all_here = true;
  for (const CatalogueEntry& entry : chosen(names)) {
    if (entry.generated) {
      std::cout << entry.name << ": generated; nothing is to be fetched\n";
      continue;
    }
    try {
      const auto progress = [&](const CatalogueFile& file, std::size_t done, std::size_t total) {
        line.show(file, done, total);
      };
      const std::vector<FetchedFile> stored = fetch(entry, common.data(), progress, limits);
      line.clear();
      std::cout << entry.name << ": " << (stored.empty() ? "already here" : "fetched") << '\n' << std::flush;
      for (const FetchedFile& file : stored) {
        if (!file.kept.empty())
          std::cerr << "elmx: " << file.path.string() << " had another content, which is now " << file.kept.string()
                    << '\n';
      }
    } catch (const UserError& error) {
      all_here = false;
      line.clear();
      std::cerr << "elmx: " << error.what() << '\n';
    }
  }
  return all_here ? ExitCode::ok : ExitCode::data;
}

ExitCode verify_sets(const std::vector<std::string>& names, const Common& common) {
  bool all_right = true;
  for (const CatalogueEntry& entry : chosen(names)) {
    if (entry.generated) std::cout << entry.name << ": generated; it has no files\n";
    for (const FileReport& file : verify(entry, common.data())) {
      all_right = all_right && file.state == FileState::ok;
      std::cout << entry.name << ": " << file.path.string() << ": " << to_string(file.state)
                << (file.what.empty() ? "" : ": " + file.what) << '\n';
    }
  }
  return all_right ? ExitCode::ok : ExitCode::data;
}

}  // namespace

void add_data(CLI::App& app, const Common& common, Action& action) {
  auto* command = app.add_subcommand("data", "data files, and the data sets of the catalogue");
  command->require_subcommand(1);
  command->fallthrough();
  using Names = std::vector<std::string>;
  const auto add = [&](const char* name, const char* what, const std::function<ExitCode(const Names&)>& run) {
    auto* sub = command->add_subcommand(name, what);
    auto names = std::make_shared<Names>();
    sub->add_option("NAME", *names, "data sets (elmx list datasets)");
    sub->callback([=, &action] { action = [=] { return run(*names); }; });
    return sub;
  };
  auto* info = command->add_subcommand("info", "describe files or sets, and the config that would read a file");
  auto described = std::make_shared<InfoArguments>();
  info->add_option("NAME", described->names, "files (- for stdin) or data sets (elmx list datasets)")->required();
  info->add_option("--set", described->assignments, "of a file: an option of \"data\", as in separator=tab")
      ->allow_extra_args(false);
  info->add_flag("--config", described->config, "of a file: print that config alone");
  info->callback([=, &common, &action] { action = [=, &common] { return describe_data(*described, common); }; });
  auto limits = std::make_shared<DownloadLimits>();
  auto* fetch = add("fetch", "download sets, checksums verified (all where none is named)",
                    [=, &common](const Names& names) { return fetch_sets(names, common, *limits); });
  const auto seconds = [&](const char* option, int& value, const std::string& what) {
    fetch->add_option(option, value, what)
        ->capture_default_str()
        ->check(CLI::Range(1, kMostSeconds))
        ->type_name("SECONDS");
  };
  seconds("--timeout", limits->seconds, "give a file up after this time; the next fetch goes on from there");
  seconds("--stall-timeout", limits->stalled_seconds,
          "give a file up that has come slower than 1 KiB a second for so long");
  auto* convert =
      command->add_subcommand("convert", "convert delimited text to an array (.npy) that is read in blocks");
  auto conversion = std::make_shared<ConvertArguments>();
  convert->add_option("FILE", conversion->file, "a delimited text file")->required();
  convert->add_option("-o,--output", conversion->output, "the array, NAME.npy; the read report goes to NAME.npy.json")
      ->required();
  convert->add_option("--target", conversion->target, "the column to predict, its name or its number")
      ->allow_extra_args(false);
  convert->add_option("--set", conversion->assignments, "an option of \"data\", as in separator=tab")
      ->allow_extra_args(false);
  convert->callback([=, &action] { action = [=] { return convert_data(*conversion); }; });
  add("verify", "compare the files with their checksums",
      [&](const Names& names) { return verify_sets(names, common); });
  command->add_subcommand("list", "the same as elmx list datasets")->callback([&common, &action] {
    action = [&common] { return list_names("datasets", common); };
  });
}

}  // namespace elmx
