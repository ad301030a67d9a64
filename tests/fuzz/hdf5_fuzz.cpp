#include "fuzz/silent_children.hpp"
#include "fuzz/target.hpp"

namespace elmx::fuzz {
namespace {

const Registered hdf5_target("hdf5", [](std::string_view bytes) {
  silence_children();
  Choices choose(bytes);
  DataOptions options;
  options.format = "hdf5";
  options.task = choose.yes() ? "classification" : "regression";
  options.mat.samples_are = choose.yes() ? "columns" : "rows";
  options.mat.inputs_variable = choose.yes() ? "fea" : "g/fea";
  load(choose.rest(), options, {&options.path});
});

}  // namespace
}  // namespace elmx::fuzz
