#include "data/images/images.hpp"

#include <fmt/core.h>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "data/classes.hpp"
#include "data/images/binary_matrix.hpp"
#include "data/images/pixels.hpp"
#include "data/source.hpp"
#include "data/table/table.hpp"

namespace elmx {
namespace {

constexpr int kLabels = 256;

/// The images and labels of a set on their way into it.
class ImageSet {
 public:
  ImageSet(const Source& source, BinaryMatrix (*read)(Content)) : source_(source), read_(read) {}

  BinaryMatrix read_images(const SourceFile& file) {
    BinaryMatrix images = read_file(file);
    if (images.shape.size() < 2) {
      throw DataError(images.origin + ": one dimension, as a file of labels has; images are expected");
    }
    if (images.value_bytes != 1) {
      throw DataError(images.origin +
                      ": values of 4 bytes, as a file of labels has; images of unsigned bytes are expected");
    }
    return images;
  }

  /// Appends the labels that belong to `images`.
  void read_labels(const std::optional<SourceFile>& file, const char* option, const BinaryMatrix& images) {
    if (!source_.targets) return;
    if (!file) {
      throw ConfigError(fmt::format("/data/{}: missing; format \"{}\" needs a file of labels", option, source_.format));
    }
    const BinaryMatrix labels = read_file(*file);
    if (labels.shape.size() != 1 || labels.count() != images.count()) {
      throw DataError(fmt::format("{}: {} in {}; one for each of {} images is expected", labels.origin,
                                  counted(labels.count(), "label"), counted(labels.shape.size(), "dimension"),
                                  images.count()));
    }
    for (arma::uword i = 0; i < labels.count(); ++i) {
      const double label = labels.value(i);
      if (label < 0 || label >= kLabels) {
        throw DataError(
            fmt::format("{}: label {} is {}; allowed: 0 to {}", labels.origin, i + 1, shortest(label), kLabels - 1));
      }
      numbers_.push_back(label);
    }
  }

  /// Gives the set its targets.
  void finish() {
    if (!source_.targets) return;
    std::vector<std::string> names;
    for (int k = 0; k < kLabels; ++k) names.push_back(std::to_string(k));
    set_targets(data, source_.table.task, names, numbers_);
  }

  Dataset data;

 private:
  BinaryMatrix read_file(const SourceFile& file) {
    Content content = read_verified(file, source_);
    data.sha256.push_back(content.sha256);
    return read_(std::move(content));
  }

  const Source& source_;
  BinaryMatrix (*read_)(Content);
  std::vector<double> numbers_;
};

}  // namespace

Dataset load_images(const Source& source, BinaryMatrix (*read)(Content)) {
  ImageSet set(source, read);
  Dataset& data = set.data;
  const BinaryMatrix train = set.read_images(source.train);
  set.read_labels(source.train_labels, "labels_path", train);

  std::optional<BinaryMatrix> test;
  if (source.test) {
    test = set.read_images(*source.test);
    set.read_labels(source.test_labels, "test_labels_path", *test);
    data.published_train = train.count();
    if (test->dimension() != train.dimension()) {
      throw DataError(fmt::format("{}: {} values an image; {} are expected, as in the training part", test->origin,
                                  test->dimension(), train.dimension()));
    }
  }

  data.X.set_size(train.count() + (test ? test->count() : 0), train.dimension());
  unpack_pixels(train.data(), train.dimension(), train.count(), data.X, 0);
  if (test) unpack_pixels(test->data(), test->dimension(), test->count(), data.X, train.count());
  for (arma::uword j = 1; j <= data.X.n_cols; ++j) data.inputs.push_back("pixel" + std::to_string(j));
  set.finish();
  return std::move(data);
}

}  // namespace elmx
