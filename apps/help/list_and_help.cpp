#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <iterator>
#include <map>
#include <sstream>

#include "base/error.hpp"
#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "data/catalogue.hpp"
#include "data/formats.hpp"
#include "experiment/config/options.hpp"
#include "experiment/plan/plan.hpp"
#include "published/paper.hpp"
#include "published/published.hpp"
#include "report/formats/table_formats.hpp"

namespace elmx {
namespace {

using Texts = std::vector<std::string>;

std::vector<Texts> format_rows(const std::filesystem::path&) {
  std::vector<Texts> rows;
  for (const DataFormat& row : data_formats()) rows.push_back({row.name, "data", row.doc});
  for (const TableFormat& row : table_formats()) rows.push_back({row.name, "tables", row.doc});
  return rows;
}

std::vector<Texts> experiment_rows(const std::filesystem::path&) {
  const auto likely_time = [](const Json& config) {  // nothing is trained for some tables
    return config.contains("model") ? show_seconds(likely_seconds(expand(config))) : "";
  };
  std::vector<Texts> rows;
  for (const std::string& id : paper_ids()) {
    const Json config = paper_config(id, {}, false).json;
    rows.push_back({id, likely_time(config), likely_time(paper_config(id, {}, true).json),
                    config.value("/paper/title"_json_pointer, std::string())});
  }
  return rows;
}

/// Returns all lists of names.
const std::vector<NameList>& listings() {
  static const std::vector<NameList> all = [] {
    std::vector<NameList> lists = config_names();
    lists.push_back({"formats", {"format", "for", "what it is"}, format_rows});
    lists.push_back({"experiments",
                     {"id", "time", "full", "title"},
                     experiment_rows,
                     "time, full: approximate times on two ordinary cores, without and with --full; elmx plan ID "
                     "measures this machine"});
    return lists;
  }();
  return all;
}

/// Prints how the cells of a published table are judged and what deviates from the paper, at both scales.
void show_paper_notes(const std::string& id) {
  const auto notes_of = [&](bool full) {
    const PaperTable table = paper_table(id, {}, full);
    return paper_notes(table.options, table.published);
  };
  const std::vector<std::string> scaled = notes_of(false), full = notes_of(true);
  for (const std::string& note : scaled)
    print_line((std::ranges::count(full, note) > 0 ? "" : "without --full: ") + note);
  for (const std::string& note : full) {
    if (std::ranges::count(scaled, note) == 0) print_line("with --full: " + note);
  }
}

std::string listing_names() {
  std::string names;
  for (const NameList& listing : listings()) names += (names.empty() ? "" : ", ") + std::string(listing.name);
  return names;
}

struct ListArguments {
  std::string what;

  void flags(Flags& flag) { flag("WHAT", what, listing_names(), {.required = true}); }
};

ExitCode list(const ListArguments& arguments, const Common& common) {
  const std::string& what = arguments.what;
  const NameList& listing = named_row(listings(), what, fmt::format("list: unknown name \"{}\"", what));
  Table table;
  table.name = what;
  for (const std::string& heading : listing.headings) table.columns.push_back({heading, heading});
  for (const Texts& row : listing.rows(common.data())) {
    std::vector<Cell>& cells = table.rows.emplace_back();
    for (const std::string& text : row) cells.push_back(text_cell(text));
  }
  if (!listing.remark.empty()) table.remarks.push_back(listing.remark);
  print(table);
  return ExitCode::ok;
}

/// Prints every entry of the lists that has this name, and adds all names to `known`. Returns false if no
/// entry has it.
bool explain_name(const std::string& asked, const Common& common, std::vector<std::string>& known) {
  std::string name = asked;
  for (const char* part : {"test_", "train_", "unlabelled_", "pooled_"}) {
    if (asked.starts_with(part)) name = asked.substr(std::string_view(part).size());
  }
  bool found = false;
  for (const NameList& listing : listings()) {
    const bool of_a_part = name != asked && std::string_view(listing.name) == "metrics";
    for (const Texts& row : listing.rows(common.data())) {
      known.push_back(row.front());
      if (row.front() != asked && !(of_a_part && row.front() == name)) continue;
      found = true;
      for (std::size_t j = 0; j < row.size(); ++j) std::cout << listing.headings[j] << ": " << row[j] << '\n';
    }
  }
  for (const std::string& line : flops_of(asked)) std::cout << line << '\n';
  for (const CatalogueEntry& set : shipped_catalogue().sets) {
    if (set.name != asked) continue;
    for (const CatalogueFile& file : set.files)
      std::cout << "file: " << file.path << (file.url.empty() ? "" : "  " + file.url) << '\n';
    for (const std::string& note : set.notes) std::cout << "note: " << note << '\n';
  }
  if (std::ranges::count(paper_ids(), asked) > 0) show_paper_notes(asked);
  return found;
}

const std::map<std::string, const char*> kExitCodes{
    {"0", "success"},
    {"1", "an internal error of elmx: please report it"},
    {"2", "the command line or the config is invalid or asks too much of this machine, or output cannot be written"},
    {"3", "a data file is missing, damaged or of the wrong kind"},
    {"4", "the run has finished, but some trials failed"},
    {"5", "a check failed: elmx run --check, or a cell of elmx reproduce that disagrees or is missing"},
    {"6", "the folder has results of another experiment, or another run is writing to it"},
    {"130", "interrupted by Ctrl-C; run the same command again to resume"},
};

bool explain_exit_code(const std::string& word) {
  const auto found = kExitCodes.find(word);
  if (found == kExitCodes.end()) return false;
  std::cout << "exit code " << word << ": " << found->second << '\n';
  return true;
}

/// Prints the keys that the word may mean, each with an example: {"model":{"ridge":0.1}}.
bool explain_keys(const std::vector<ConfigKey>& keys, const std::string& word) {
  const std::vector<ConfigKey> found = keys_named(keys, word);
  for (const ConfigKey& key : found) {
    const std::string families = fmt::format("{}", fmt::join(key.families, ", "));
    std::cout << "config key " << dotted(key.place) << (families.empty() ? "" : " (families " + families + ")") << ": "
              << key.description << '\n';
    if (!key.allowed.empty()) std::cout << "  values: " << key.allowed << '\n';
    if (key.default_value.is_null()) continue;
    Json example;
    example[Json::json_pointer(key.place)] = key.default_value;
    std::cout << "  default: " << key.default_value.dump() << ", as in " << example.dump() << '\n';
  }
  return !found.empty();
}

struct HelpArguments {
  std::vector<std::string> words;

  void flags(Flags& flag) {
    flag("WORD", words, "word to explain: run, model.ridge, panel, test_rmse, an exit code, ...");
  }
};

/// Prints the help of the command, the list and all other entries that have exactly this name, and adds all names
/// to `known`. Returns false if there is none.
bool explain_exactly(const std::string& word, const std::vector<ConfigKey>& keys, const Common& common,
                     std::vector<std::string>& known) {
  const bool command = std::ranges::count(all_commands(*common.program), word, &Command::path) > 0;
  if (command) {
    std::istringstream words(word + " --help");
    print_help(parse(*common.program, {std::istream_iterator<std::string>(words), {}}).text);
  }
  const bool listing = std::ranges::count(kListings, word, &Listing::name) > 0;
  if (listing) list({word}, common);
  const bool key = explain_keys(keys, word), code = explain_exit_code(word), name = explain_name(word, common, known);
  return command || listing || key || code || name;
}

/// Prints the options and the config keys whose descriptions contain the word, in lower or upper case.
bool explain_by_descriptions(const std::string& word, const std::vector<ConfigKey>& keys, const Common& common) {
  bool found = false;
  const auto explain_if_mentioned = [&](const std::string& name, const std::string& description) {
    if (lower_case(name + ' ' + description).find(word) == std::string::npos) return;
    print_line(name + ": " + description);
    found = true;
  };
  for (const Command* command : all_commands(*common.program)) {
    for (const Flag& flag : command->flags) {
      const bool own = flag.value.index() > 0 && !flag.rules.hidden;  // not --help and --version
      if (own)
        explain_if_mentioned("elmx " + command->path + (command->path.empty() ? "" : " ") + flag.names, flag.help);
    }
  }
  for (const ConfigKey& key : keys)
    explain_if_mentioned("config key " + dotted(key.place),
                         key.description + (key.allowed.empty() ? "" : " (" + key.allowed + ")"));
  return found;
}

ExitCode explain(const HelpArguments& arguments, const Common& common) {
  constexpr std::size_t kFewest = 3;  // characters that are looked up in descriptions
  const std::string word = fmt::format("{}", fmt::join(arguments.words, " ")), lower = lower_case(word);
  if (word.empty()) return print_help(parse(*common.program, {"--help"}).text);
  const std::vector<ConfigKey> keys = config_keys(schema_with_names());
  std::vector<std::string> known;
  if (explain_exactly(word, keys, common, known)) return ExitCode::ok;
  std::string joined = lower;
  std::ranges::replace_if(
      joined, [](char c) { return c == ' ' || c == '-'; }, '_');
  for (const std::string& meant : {lower, joined}) {
    if (meant != word && explain_exactly(meant, keys, common, known)) return ExitCode::ok;
  }
  if (word.size() >= kFewest && explain_by_descriptions(lower, keys, common)) return ExitCode::ok;
  for (const ConfigKey& one : keys) known.push_back(last_component(one.place));
  throw ConfigError("\"" + word + "\"", "unknown word" + suggest(word, known, "elmx list"));
}

}  // namespace

Command list_command() {
  return command(
      "list", "list names: " + listing_names(), list,
      {{"elmx list algorithms", "list all algorithms"}, {"elmx list datasets", "list the data sets of the catalogue"}});
}

Command help_command() {
  return command("help", "explain a command, a config key, an algorithm, a metric, a data set or another name", explain,
                 {{"elmx help ridge", "explain a key of the config"}, {"elmx help panel", "explain an algorithm"}});
}

}  // namespace elmx
