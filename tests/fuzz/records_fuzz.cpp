#include "base/files/files.hpp"
#include "experiment/records/record.hpp"
#include "fuzz/results_folder.hpp"
#include "fuzz/target.hpp"
#include "report/formats/table_formats.hpp"
#include "report/tables/tables.hpp"

namespace elmx::fuzz {
namespace {

const Registered records_target("records", [](std::string_view bytes) {
  static const ResultsOf folder("records");
  write_file(folder.path() / "records.jsonl", bytes);
  refused_or([&] {
    const std::vector<Record> records = read_records(folder.path());
    for (const Record& record : records) {
      const Json written = to_json(record);
      require(to_json(record_from_json(Json::parse(written.dump()))).dump() == written.dump(),
              "a record is what is written of it");
    }
    if (records.empty()) return;
    for (const Table& table : tables_of_records(records)) {
      for (const TableFormat& format : table_formats()) static_cast<void>(format.write(table));
    }
  });
});

}  // namespace
}  // namespace elmx::fuzz
