#include "fuzz/target.hpp"

namespace elmx::fuzz {
namespace {

const Registered registered("mat", [](std::string_view bytes) {
  Choices choose(bytes);
  DataOptions options;
  options.format = "mat";
  options.task = choose.yes() ? "classification" : "regression";
  options.samples_are = choose.yes() ? "columns" : "rows";
  load(choose.rest(), options, {&DataOptions::path});
});

}  // namespace
}  // namespace elmx::fuzz
