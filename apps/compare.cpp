#include "report/compare.hpp"

#include "verbs.hpp"

namespace elmx {

void add_compare(CLI::App& app, Action& action) {
  auto* verb = app.add_subcommand("compare", "what two results folders differ in, unit by unit");
  auto folders = std::make_shared<std::vector<std::string>>();
  verb->add_option("DIR", *folders, "the two folders: A, then B")->required()->expected(2);
  verb->callback([=, &action] {
    action = [=] {
      const std::vector<Record> a = records_in(folders->at(0)), b = records_in(folders->at(1));
      for (const Table& table : compare_records(a, b)) print(table);
      return ExitCode::ok;
    };
  });
}

}  // namespace elmx
