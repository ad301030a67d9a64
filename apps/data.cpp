#include <unistd.h>

#include <iostream>

#include "base/share.hpp"
#include "data/fetch.hpp"
#include "data/load.hpp"
#include "verbs.hpp"

namespace elmx {
namespace {

Catalogue shipped_catalogue() { return read_catalogue(share_dir() / "data" / "catalogue.json"); }

/// The entries named, or all that have files.
std::vector<CatalogueEntry> chosen(const std::vector<std::string>& names) {
  const Catalogue catalogue = shipped_catalogue();
  std::vector<CatalogueEntry> entries;
  for (const std::string& name : names) entries.push_back(catalogue.find(name));
  if (names.empty()) {
    for (const CatalogueEntry& entry : catalogue.sets) {
      if (!entry.files.empty()) entries.push_back(entry);
    }
  }
  return entries;
}

/// Reads the set and says what came out.
ExitCode describe(const std::vector<std::string>& names, const Common& common) {
  for (const CatalogueEntry& entry : chosen(names)) {
    DataOptions options;
    options.set = entry.name;
    const Dataset data = load_dataset(options, shipped_catalogue(), common.data(), 1);
    std::cout << data.name << ": " << data.X.n_rows << " samples";
    if (data.published_train > 0) std::cout << " (" << data.published_train << " of them for training)";
    std::cout << ", " << data.X.n_cols << " inputs, ";
    if (data.task == Task::regression) {
      std::cout << data.Y.n_cols << (data.Y.n_cols == 1 ? " target\n" : " targets\n");
    } else {
      std::cout << data.classes.size() << " classes:";
      for (std::size_t k = 0; k < data.classes.size(); ++k) {
        std::cout << ' ' << data.classes[k] << " (" << arma::accu(data.labels == k) << ')';
      }
      std::cout << (data.positive.empty() ? "" : "; positive " + data.positive) << '\n';
    }
    for (const std::string& note : data.notes) std::cout << "  note: " << note << '\n';
    for (const std::string& note : entry.notes) std::cout << "  note: " << note << '\n';
  }
  return ExitCode::ok;
}

/// Every set named is tried; what cannot be had is said at the end.
ExitCode fetch_sets(const std::vector<std::string>& names, const Common& common) {
  const bool terminal = ::isatty(STDERR_FILENO) == 1;
  std::size_t failed = 0;
  for (const CatalogueEntry& entry : chosen(names)) {
    if (entry.generated) continue;
    try {
      const auto progress = [&](const CatalogueFile& file, std::size_t done, std::size_t total) {
        if (terminal) std::cerr << "\r\033[K" << file.path << "  " << done / 1024 << (total > 0 ? "/" + std::to_string(total / 1024) : "") << " KiB" << std::flush;
      };
      const auto stored = fetch(entry, common.data(), progress);
      if (terminal) std::cerr << "\r\033[K";
      std::cout << entry.name << ": " << (stored.empty() ? "already here" : "fetched") << '\n' << std::flush;
    } catch (const DataError& error) {
      ++failed;
      std::cerr << (terminal ? "\r\033[K" : "") << "elmx: " << error.what() << '\n';
    }
  }
  return failed == 0 ? ExitCode::ok : ExitCode::data;
}

ExitCode verify_sets(const std::vector<std::string>& names, const Common& common) {
  bool all_right = true;
  for (const CatalogueEntry& entry : chosen(names)) {
    for (const FileReport& file : verify(entry, common.data())) {
      all_right = all_right && file.state == FileState::ok;
      std::cout << entry.name << ": " << file.path.string() << ": " << to_string(file.state) << (file.what.empty() ? "" : ": " + file.what) << '\n';
    }
  }
  return all_right ? ExitCode::ok : ExitCode::data;
}

}  // namespace

void add_data(CLI::App& app, const Common& common, Action& action) {
  auto* verb = app.add_subcommand("data", "the data sets of the catalogue");
  verb->require_subcommand(1);
  verb->fallthrough();
  const auto add = [&](const char* name, const char* what, ExitCode (*run)(const std::vector<std::string>&, const Common&), bool required) {
    auto* sub = verb->add_subcommand(name, what);
    auto names = std::make_shared<std::vector<std::string>>();
    auto* option = sub->add_option("NAME", *names, "data sets (elmx list datasets)");
    if (required) option->required();
    sub->callback([=, &common, &action] { action = [=, &common] { return run(*names, common); }; });
  };
  add("info", "read a set and describe it", describe, true);
  add("fetch", "download sets, checksums verified (all where none is named)", fetch_sets, false);
  add("verify", "compare the files with their checksums", verify_sets, false);
  verb->add_subcommand("list", "the same as elmx list datasets")->callback([&common, &action] {
    action = [&common] { return list_names("datasets", common); };
  });
}

}  // namespace elmx
