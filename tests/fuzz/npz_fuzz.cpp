#include "fuzz/target.hpp"

namespace elmx::fuzz {
namespace {

const Registered npz_target("npz", [](std::string_view bytes) {
  Choices choose(bytes);
  DataOptions options;
  options.format = "npz";
  options.task = choose.yes() ? "classification" : "regression";
  options.mat.samples_are = choose.yes() ? "columns" : "rows";
  load(choose.rest(), options, {&options.path});
});

}  // namespace
}  // namespace elmx::fuzz
