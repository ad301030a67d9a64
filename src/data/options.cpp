#include "data/options.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/error.hpp"
#include "data/catalogue.hpp"

namespace elmx {
namespace {

/// Returns the key of a format's options: the name of the format, or "csv" for delimited text.
std::string tag_of(const DataFormat& format) { return format.name == "delimited" ? "csv" : format.name; }

/// The options that a format has for itself.
std::vector<std::string> own_options(const DataFormat& format) {
  if (format.name == "delimited") {
    const std::vector<const char*> keys = option_keys<CsvOptions>();
    return {keys.begin(), keys.end()};
  }
  std::vector<std::string> keys = format.options;
  std::erase_if(keys, [](const std::string& key) {
    return key == "test_path" || key == "target" || key == "drop" || key == "nominal" || key == "from_disk";
  });
  return keys;
}

/// Returns the formats and the generated sets that have an option; nothing if all formats have it.
std::vector<std::string> owners_of(const std::string& key) {
  std::vector<std::string> owners;
  for (const DataFormat& format : data_formats()) {
    if (format.has_option(key)) owners.push_back(format.name);
  }
  for (const GeneratedSet& set : generated_sets()) {
    if (set.sequence && key == "length") owners.push_back(set.name);
  }
  return owners;
}

/// Each format has its own option that names the targets. Refuses the option of another format and names the
/// right one.
void refuse_target_of_other_kinds(const std::string& key, const std::string& kind) {
  const std::vector<std::string> naming{"target", "target_variable", "labels_path"};
  const auto is_own = [&](const std::string& option) { return std::ranges::count(owners_of(option), kind) > 0; };
  const auto own = std::ranges::find_if(naming, is_own);
  if (own == naming.end() || std::ranges::count(naming, key) == 0 || is_own(key)) return;
  const std::string how = *own != "target_variable"
                              ? ""
                              : " (--set data.target_variable=NAME; \"elmx data info FILE\" lists the variables)";
  throw ConfigError("/data/" + key, fmt::format("does not apply to format \"{}\"; use data.{}{}", kind, *own, how));
}

/// Refuses options that belong to other formats or other generated sets.
void refuse_options_of_other_kinds(const DataOptions& options, const CatalogueEntry* entry) {
  const bool generated = entry && entry->generated;
  const std::string kind = generated ? entry->name : entry ? entry->format : options.format;
  if (kind == "delimited" && options.from_disk.value_or(false))
    throw ConfigError("/data/from_disk",
                      "text cannot be read in blocks; convert it once with \"elmx data convert FILE -o FILE.npy\"");
  std::vector<OwnedOption> owned;
  for (const char* key : given_options(options)) {
    const std::vector<std::string> owners = owners_of(key);
    if (owners.empty() || (generated && std::string_view(key) == "from_disk")) continue;
    refuse_target_of_other_kinds(key, kind);
    owned.push_back({key, true, owners});
  }
  refuse_options_of_others(owned, kind, "/data", generated ? "not with set" : "not with format");
}

}  // namespace

void ReadingOptions::fields(FieldVisitor& field) {
  field("format", format, "file format of \"path\"", one_of(names_of(data_formats())));
  delimited.fields(field);
  mat.fields(field);
  field("target", target, "target column(s): names, or numbers counted from 1 (negative: from the end)");
  field("drop", drop, "columns that are not read: names or numbers");
  field("nominal", nominal, "columns whose values are categories: names or numbers");
  field("categories", categories,
        "how categories become inputs: one column for each (one_hot, the default), or one column of their numbers 0, "
        "1, ... (codes) in the declared or alphabetical order",
        one_of({"one_hot", "codes"}));
  field("task", task, "kind of the target", one_of({"regression", "classification"}));
  field("positive", positive,
        "the positive class of a two-class problem; \"\": the second in alphabetical or numeric order");
  field("missing", missing,
        "treatment of missing values (an empty field, or a text of missing_values): refuse the file, drop the row, or "
        "use the mean of the column in the training part (nominal: a category of its own)",
        one_of({"refuse", "drop_rows", "mean"}));
}

void DataOptions::fields(FieldVisitor& field) {
  field("set", set, "name of a data set of the catalogue (elmx list datasets), real or generated");
  field("path", path, "a data file of your own, in place of \"set\"", a_path());
  field("test_path", test_path, "a second file that holds the test part (split \"fixed\")", a_path());
  images.fields(field);
  field("block_mean", block_mean,
        "IDX, NORB: side of square blocks of pixels, whose rounded means are the inputs (3 turns 96x96 pixels into "
        "32x32)",
        at_least(2));
  cifar.fields(field);
  ReadingOptions::fields(field);
  field("from_disk", from_disk,
        "npy, hdf5, idx: whether the inputs stay in their file and are read in blocks (true), or are read into memory "
        "(false); by default they stay in the file if they need more than a quarter of the available memory and the "
        "model supports it");
  generated.fields(field);
  field(
      "length", length,
      "reviews: number of last tokens of each review that are used (200); adding, running_adding: number of steps (50)",
      at_least(2));
  reviews.fields(field);
}

void unfold_format(Json& data, const std::string& place) {
  if (!data.is_object()) return;
  std::string found;
  for (const DataFormat& format : data_formats()) {
    const std::string tag = tag_of(format);
    if (!data.contains(tag)) continue;
    if (!found.empty())
      throw ConfigError(place, fmt::format("has the options of two formats, \"{}\" and \"{}\"; use one", found, tag));
    if (data.contains("format") && data["format"] != format.name)
      throw ConfigError(fmt::format("{}/{}", place, tag),
                        fmt::format("\"format\" is {}; remove one of the two", data["format"].dump()));
    found = tag;
    const Json options = data[tag];
    require_object(options, place + '/' + tag);
    const std::vector<std::string> own = own_options(format);
    data.erase(tag);
    data["format"] = format.name;
    for (const auto& [key, value] : options.items()) {
      if (std::ranges::count(own, key) == 0)
        throw ConfigError(fmt::format("{}/{}/{}", place, tag, key), "unknown key" + suggest(key, own));
      if (data.contains(key))
        throw ConfigError(fmt::format("{}/{}", place, key),
                          fmt::format("duplicate key, beside \"{}\" and inside it; remove one", tag));
      data[key] = value;
    }
  }
}

Json format_schemas() {
  const Json all = schema_of<DataOptions>()["properties"];
  Json schemas = Json::object();
  for (const DataFormat& format : data_formats()) {
    Json properties = Json::object();
    for (const std::string& key : own_options(format)) properties[key] = all.at(key);
    schemas[tag_of(format)] = {{"type", "object"},
                               {"additionalProperties", false},
                               {"properties", properties},
                               {"description", "options of " + format.name + ": " + format.doc}};
  }
  return schemas;
}

void refuse_foreign_options(const DataOptions& options, const CatalogueEntry* entry) {
  if (options.set.empty() == options.path.empty()) {
    const char* found = options.set.empty() ? "neither \"set\" nor \"path\"" : "both \"set\" and \"path\"";
    throw ConfigError("/data", fmt::format("expected either \"set\" or \"path\", found {}", found));
  }
  const bool generated = entry && entry->generated;
  constexpr const char* own_files = "your own files (\"path\")";
  const std::string kind = entry ? "set \"" + entry->name + "\"" : own_files;
  const auto is_given = [&](const char* key) { return options.given.contains(key) && !options.given[key].is_null(); };
  const auto refuse = [&](const std::vector<const char*>& keys, const char* owner) {
    const auto found = std::ranges::find_if(keys, is_given);
    if (found != keys.end())
      throw ConfigError(fmt::format("/data/{}", *found), fmt::format("does not apply to {}, only to {}", kind, owner));
  };
  if (!generated) refuse({"samples", "noise"}, "generated sets");
  if (!entry || entry->name != "two_spirals") refuse({"turns"}, "two_spirals");
  if (entry) {
    std::vector<const char*> of_own_files{"test_path", "format", "task"};
    for (const std::vector<const char*>& keys : {option_keys<ImageOptions>(), option_keys<CifarOptions>(),
                                                 option_keys<CsvOptions>(), option_keys<MatOptions>()})
      of_own_files.insert(of_own_files.end(), keys.begin(), keys.end());
    std::erase(of_own_files, std::string_view("missing_values"));
    refuse(of_own_files, own_files);
    if (generated) refuse({"target", "drop", "nominal", "categories", "missing"}, "sets that are read from files");
    if (!generated && is_given("missing") && options.missing == "refuse" && entry->missing != "refuse")
      throw ConfigError("/data/missing",
                        fmt::format("cannot refuse missing values, since {} has some; use drop_rows or mean", kind));
  }
  refuse_options_of_other_kinds(options, entry);
  const double noise = options.generated.noise;
  const auto set = std::ranges::find(generated_sets(), options.set, &GeneratedSet::name);
  if (generated && set->sequence && noise != 0 && noise != GeneratedOptions().noise)
    throw ConfigError("/data/noise", fmt::format("does not apply to {}, which has no noise", kind));
}

}  // namespace elmx
