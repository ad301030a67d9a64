#include "data/images.hpp"

#include "base/error.hpp"
#include "data/classes.hpp"
#include "data/idx.hpp"
#include "data/table.hpp"

namespace elmx {
namespace {

Idx read_images(const SourceFile& file, const Source& source, Dataset& data) {
  Content content = read_verified(file, source);
  data.sha256.push_back(content.sha256);
  Idx images = read_idx(std::move(content));
  if (images.shape.size() < 2) {
    throw DataError(images.origin + ": one dimension, as a file of labels has; images are expected");
  }
  return images;
}

/// Appends the labels that belong to `images` to `numbers`.
void read_labels(const std::optional<SourceFile>& file, const char* option, const Source& source, const Idx& images,
                 Dataset& data, std::vector<double>& numbers) {
  if (!file) throw ConfigError(std::string("/data/") + option + ": missing; IDX images need a file of labels");
  Content content = read_verified(*file, source);
  data.sha256.push_back(content.sha256);
  const Idx labels = read_idx(std::move(content));
  if (labels.shape.size() != 1 || labels.count() != images.count()) {
    throw DataError(labels.origin + ": " + counted(labels.count(), "label") + " in " +
                    counted(labels.shape.size(), "dimension") + "; one for each of " + std::to_string(images.count()) +
                    " images is expected");
  }
  for (const char label : labels.data()) numbers.push_back(static_cast<unsigned char>(label));
}

void put_targets(const Source& source, const std::vector<double>& numbers, Dataset& data) {
  data.task = source.table.task;
  if (data.task == Task::regression) {
    data.Y = arma::vec(numbers);
    return;
  }
  std::vector<std::string> names;
  for (int k = 0; k < 256; ++k) names.push_back(std::to_string(k));
  set_classes(data, names, numbers);
}

}  // namespace

Dataset load_images(const Source& source) {
  Dataset data;
  std::vector<double> numbers;
  const Idx train = read_images(source.train, source, data);
  read_labels(source.train_labels, "labels_path", source, train, data, numbers);

  std::optional<Idx> test;
  if (source.test) {
    test = read_images(*source.test, source, data);
    read_labels(source.test_labels, "test_labels_path", source, *test, data, numbers);
    data.published_train = train.count();
    if (test->dimension() != train.dimension()) {
      throw DataError(test->origin + ": " + std::to_string(test->dimension()) + " values an image; " +
                      std::to_string(train.dimension()) + " are expected, as in the training part");
    }
  }

  data.X.set_size(numbers.size(), train.dimension());
  unpack_images(train, data.X, 0);
  if (test) unpack_images(*test, data.X, train.count());
  for (arma::uword j = 1; j <= data.X.n_cols; ++j) data.inputs.push_back("pixel" + std::to_string(j));
  put_targets(source, numbers, data);
  return data;
}

}  // namespace elmx
