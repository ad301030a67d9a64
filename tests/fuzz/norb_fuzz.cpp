#include "fuzz/target.hpp"

namespace elmx::fuzz {
namespace {

const Registered registered("norb", [](std::string_view bytes) {
  Choices choose(bytes);
  DataOptions options;
  options.format = "norb";
  options.task = choose.yes() ? "classification" : "regression";
  load(choose.rest(), options,
       {&DataOptions::path, &DataOptions::labels_path, &DataOptions::test_path, &DataOptions::test_labels_path});
});

}  // namespace
}  // namespace elmx::fuzz
