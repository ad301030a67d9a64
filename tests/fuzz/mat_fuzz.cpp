#include "fuzz/target.hpp"

namespace elmx::fuzz {
namespace {

const Registered mat_target("mat", [](std::string_view bytes) {
  Choices choose(bytes);
  DataOptions options;
  options.format = "mat";
  options.task = choose.yes() ? "classification" : "regression";
  options.mat.samples_are = choose.yes() ? "columns" : "rows";
  if (choose.rest().substr(0, 126).ends_with(std::string_view("\0\2", 2))) return;  // version 7.3: target mat73
  load(choose.rest(), options, {&options.path});
});

}  // namespace
}  // namespace elmx::fuzz
