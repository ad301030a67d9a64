#include "fuzz/target.hpp"

namespace elmx::fuzz {
namespace {

const Registered norb_target("norb", [](std::string_view bytes) {
  Choices choose(bytes);
  DataOptions options;
  options.format = "norb";
  options.task = choose.yes() ? "classification" : "regression";
  load(choose.rest(), options,
       {&options.path, &options.images.labels_path, &options.test_path, &options.images.test_labels_path});
});

}  // namespace
}  // namespace elmx::fuzz
