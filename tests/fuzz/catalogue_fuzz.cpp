#include "data/catalogue.hpp"
#include "fuzz/target.hpp"

namespace elmx::fuzz {
namespace {

const Registered catalogue_target("catalogue", [](std::string_view bytes) {
  const MemoryFile file(bytes);
  refused_or([&] {
    const Catalogue catalogue = read_catalogue(file.path());
    for (const CatalogueEntry& entry : catalogue.sets) {
      require(catalogue.find(entry.name).name == entry.name, "an entry is found by its name");
      require(entry.generated || !entry.files.empty(), "a set has files");
    }
  });
});

}  // namespace
}  // namespace elmx::fuzz
