#include "fuzz/silent_children.hpp"
#include "fuzz/target.hpp"

namespace elmx::fuzz {
namespace {

const Registered mat73_target("mat73", [](std::string_view bytes) {
  silence_children();
  Choices choose(bytes);
  DataOptions options;
  options.format = "mat";
  options.task = choose.yes() ? "classification" : "regression";
  options.mat.samples_are = choose.yes() ? "columns" : "rows";
  load(choose.rest(), options, {&options.path});
});

}  // namespace
}  // namespace elmx::fuzz
