#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iostream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include "base/error.hpp"
#include "base/files/files.hpp"
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

/// Returns the row of an experiment. It takes some 5 ms to compute its times.
Texts experiment_row(const std::string& id) {
  const auto likely_time = [](const Json& config) {  // nothing is trained for some tables
    return config.contains("model") ? show_seconds(likely_seconds(expand(config))) : "";
  };
  const Json config = paper_config(id, {}, false).json;
  return {id, likely_time(config), likely_time(paper_config(id, {}, true).json),
          config.value("/paper/title"_json_pointer, std::string())};
}

std::vector<Texts> experiment_rows(const std::filesystem::path&) {
  std::vector<Texts> rows;
  std::ranges::transform(paper_ids(), std::back_inserter(rows), experiment_row);
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

std::string listing_names() { return fmt::format("{}", fmt::join(names_of(listings()), ", ")); }

struct ListArguments {
  std::string what;

  void flags(Flags& flag) { flag("WHAT", what, listing_names(), {.required = true}); }
};

void print_listing(const NameList& listing, const Common& common) {
  Table table;
  table.name = listing.name;
  for (const std::string& heading : listing.headings) table.columns.push_back({heading, heading});
  for (const Texts& row : listing.rows(common.data())) {
    std::vector<Cell>& cells = table.rows.emplace_back();
    for (const std::string& text : row) cells.push_back(text_cell(text));
  }
  if (!listing.remark.empty()) table.remarks.push_back(listing.remark);
  print(table);
}

ExitCode list(const ListArguments& arguments, const Common& common) {
  const std::string& what = arguments.what;
  print_listing(named_row(listings(), what, fmt::format("list: unknown name \"{}\"", what)), common);
  return ExitCode::ok;
}

/// Returns the letters and digits of a word in lower case: "datasets" for "Data sets", "kfold" for "k_fold".
std::string folded(const std::string& word) {
  std::string text = lower_case(word);
  std::erase_if(text, [](char c) { return c == '-' || c == '_' || c == ' '; });
  return text;
}

/// Returns true if the words are equal apart from case, blanks, hyphens and underscores.
bool is_same(const std::string& a, const std::string& b) { return folded(a) == folded(b); }

/// Returns the words of a text in lower case, each between two blanks.
std::string spaced(const std::string& text) {
  std::string words = " ";
  for (const char c : text + ' ') {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || c == '_' || byte >= 0x80)
      words += static_cast<char>(std::tolower(byte));
    else if (!words.ends_with(' '))
      words += ' ';
  }
  return words;
}

bool mentions(const std::string& text, const std::string& word) {
  const std::string words = spaced(word);
  return words != " " && spaced(text).find(words) != std::string::npos;
}

/// Prints every entry of the lists that has this name, and adds all names to `known`. Returns false if no
/// entry has it.
bool explain_name(const std::string& asked, const Common& common, std::vector<std::string>& known) {
  std::string name = folded(asked);
  for (const std::string_view part : {"test", "train", "unlabelled", "pooled"}) {
    if (name.starts_with(part)) name = name.substr(part.size());
  }
  std::set<std::string> found;
  const auto show_row = [&](const NameList& listing, const Texts& row) {
    found.insert(row.front());
    for (std::size_t j = 0; j < row.size(); ++j) std::cout << listing.headings[j] << ": " << row[j] << '\n';
  };
  for (const NameList& listing : listings()) {
    if (listing.rows == experiment_rows) {
      for (const std::string& id : paper_ids()) {
        known.push_back(id);
        if (is_same(id, asked)) show_row(listing, experiment_row(id));
      }
      continue;
    }
    const bool metrics = std::string_view(listing.name) == "metrics";
    for (const Texts& row : listing.rows(common.data())) {
      known.push_back(row.front());
      const bool is_metric = metrics && (folded(row.front()) == name || folded(row[1]) == name);
      if (is_same(row.front(), asked) || is_metric) show_row(listing, row);
    }
  }
  for (const std::string& one : found) {
    for (const std::string& line : flops_of(one)) std::cout << line << '\n';
    if (std::ranges::count(paper_ids(), one) > 0) show_paper_notes(one);
  }
  for (const CatalogueEntry& set : shipped_catalogue().sets) {
    if (!found.contains(set.name)) continue;
    for (const CatalogueFile& file : set.files)
      std::cout << "file: " << file.path << (file.url.empty() ? "" : "  " + file.url) << '\n';
    for (const std::string& note : set.notes) std::cout << "note: " << note << '\n';
  }
  return !found.empty();
}

/// Prints a list of names if the word is its name: "metrics", "data sets".
bool explain_list(const std::string& word, const Common& common) {
  const auto found = std::ranges::find_if(listings(), [&](const NameList& one) { return is_same(one.name, word); });
  if (found != listings().end()) print_listing(*found, common);
  return found != listings().end();
}

/// Prints the rows of the glossary whose word it is: "fold", "folds".
bool explain_term(const std::string& word) {
  const std::filesystem::path file = share_dir() / "docs/reference/glossary.md";
  std::istringstream lines(is_there(file) ? read_file(file) : "");
  bool found = false, in_table = false;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t end = line.find(" | ");
    const bool headings = !std::exchange(in_table, line.starts_with('|'));
    if (headings || !line.starts_with("| ") || end == std::string::npos) continue;
    const std::string term = line.substr(2, end - 2), meaning = line.substr(end + 3, line.size() - end - 5);
    const std::string first = term.substr(0, term.find(" ("));
    const bool meant = is_same(first, word) || is_same(first + "s", word) || mentions(term, word);
    if (meant) std::cout << term << ": " << meaning << '\n';
    found = found || meant;
  }
  return found;
}

/// Prints the options of all commands for which `is_meant` returns true. Returns false if there are none.
template <class IsMeant>
bool explain_options(const Common& common, const IsMeant& is_meant) {
  std::map<std::string, std::string> commands;  // option and its description -> commands that have it
  for (const Command* command : all_commands(*common.program)) {
    for (const Flag& flag : command->flags) {
      const bool answered = std::holds_alternative<std::monostate>(flag.value) || flag.rules.hidden;
      if (answered || flag.is_argument() || !is_meant(flag)) continue;
      std::string& with = commands[fmt::format("option {}: {}", flag.names, flag.help)];
      with += (with.empty() ? "elmx" : ", elmx") + (command->path.empty() ? "" : ' ' + command->path);
    }
  }
  for (const auto& [option, with] : commands) std::cout << option << " (" << with << ")\n";
  return !commands.empty();
}

bool explain_option(const std::string& word, const Common& common) {
  return explain_options(common,
                         [&](const Flag& flag) { return is_same(flag.names.substr(flag.names.find(',') + 1), word); });
}

const std::map<std::string, const char*> kExitCodes{
    {"0", "success"},
    {"1", "an internal error of elmx: please report it"},
    {"2", "the command line or the config is invalid or asks too much of this machine, or output cannot be written"},
    {"3", "a data file is missing, damaged or of the wrong kind"},
    {"4", "the run has finished, but some trials failed"},
    {"5",
     "a check failed: elmx run --check, elmx selftest, the kernels of the BLAS library before a run, or a cell of "
     "elmx reproduce that disagrees or is missing"},
    {"6",
     "the folder has results of another experiment, another run is writing to it, or a config exists with other "
     "content"},
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
  std::string name = lower_case(word);
  std::ranges::replace_if(
      name, [](char c) { return c == ' ' || c == '-'; }, '_');
  const std::vector<ConfigKey> found = keys_named(keys, name);
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

/// Prints the options and the keys of a config whose descriptions have the word.
bool explain_by_descriptions(const std::string& word, const std::vector<ConfigKey>& keys, const Common& common) {
  bool found = explain_options(common, [&](const Flag& flag) { return mentions(flag.help, word); });
  for (const ConfigKey& key : keys) {
    if (!mentions(key.description, word) && !mentions(key.allowed, word)) continue;
    std::cout << "config key " << dotted(key.place) << ": " << key.description << '\n';
    found = true;
  }
  return found;
}

/// Prints the help of the command and all other entries that have the name, else what mentions the word.
ExitCode explain(const HelpArguments& arguments, const Common& common) {
  const std::string word = fmt::format("{}", fmt::join(arguments.words, " "));
  const std::vector<const Command*> commands = all_commands(*common.program);
  const auto command = std::ranges::find_if(commands, [&](const Command* one) { return is_same(one->path, word); });
  if (command != commands.end()) {
    std::istringstream path((*command)->path);
    std::vector<std::string> words{std::istream_iterator<std::string>(path), {}};
    words.emplace_back("--help");
    print_help(parse(*common.program, words).text);
  }
  if (word.empty()) return ExitCode::ok;
  const std::vector<ConfigKey> keys = config_keys(schema_with_names());
  std::vector<std::string> known;
  const bool key = explain_keys(keys, word), code = explain_exit_code(word), name = explain_name(word, common, known),
             list = explain_list(word, common), term = explain_term(word), option = explain_option(word, common);
  if (command != commands.end() || key || code || name || list || term || option) return ExitCode::ok;
  if (explain_by_descriptions(word, keys, common)) return ExitCode::ok;
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
