#include <charconv>

#include "verbs.hpp"

namespace elmx {
namespace {

/// "data info": the verb that was chosen, as it is typed.
std::string path_of(const CLI::App& verb) {
  if (verb.get_parent() == nullptr) return "";
  const std::string before = path_of(*verb.get_parent());
  return before + (before.empty() ? "" : " ") + verb.get_name();
}

std::vector<std::string> verbs_of(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const CLI::App* sub : verb.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(sub->get_name());
  return names;
}

/// The long options of a verb, and of those it belongs to.
std::vector<std::string> options_of(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const CLI::Option* option : verb.get_options()) {
    const bool shown = !option->get_group().empty() && !option->get_lnames().empty();
    if (shown) names.push_back("--" + option->get_lnames().front());
  }
  if (verb.get_parent() == nullptr) return names;
  for (const std::string& name : options_of(*verb.get_parent())) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

std::string what_is_wrong(const CLI::App& verb, const std::vector<std::string>& unexpected,
                          const CLI::ParseError& error) {
  const bool of_an_option = dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr &&
                            dynamic_cast<const CLI::RequiredError*>(&error) == nullptr;
  if (of_an_option) return error.what();
  const std::string word = unexpected.empty() ? "" : unexpected.front().substr(0, unexpected.front().find('='));
  if (word.starts_with('-')) return word + ": unknown option" + suggest(word, options_of(verb));
  const std::vector<std::string> verbs = verbs_of(verb);
  if (!verbs.empty()) return (word.empty() ? "no verb" : "\"" + word + "\": unknown verb") + suggest(word, verbs);
  if (!word.empty()) return "\"" + word + "\": one argument too many";
  return error.what();
}

}  // namespace

std::string explain(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App* verb = &app;
  while (!verb->get_subcommands().empty()) verb = verb->get_subcommands().front();
  const std::string path = path_of(*verb);
  return (path.empty() ? "" : path + ": ") + what_is_wrong(*verb, app.remaining(true), error) + " (elmx " + path +
         (path.empty() ? "" : " ") + "--help)";
}

CLI::Validator count_up_to(int most) {
  const auto check = [most](const std::string& text) -> std::string {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size() && value >= 0 && value <= most) return "";
    return text + "; allowed: an integer from 0 to " + std::to_string(most);
  };
  return CLI::Validator(check, "");
}

}  // namespace elmx
