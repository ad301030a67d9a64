#include "data/images/images.hpp"

#include <fmt/core.h>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "data/images/binary_matrix.hpp"
#include "data/images/idx.hpp"
#include "data/images/pixels.hpp"
#include "data/rows/look.hpp"
#include "data/table/classes.hpp"
#include "data/table/from_disk.hpp"
#include "data/table/source.hpp"
#include "data/table/table.hpp"

namespace elmx {
namespace {

constexpr int kLabels = 256;
constexpr std::size_t kLongestIdxHeader = 64;

/// The images and labels of a set on their way into it.
class ImageSet {
 public:
  ImageSet(const Source& source, BinaryMatrix (*read)(Content)) : source_(source), read_(read) {}

  BinaryMatrix read_images(const SourceFile& file) { return checked_images(read_file(file)); }

  /// Of a file whose numbers stay in it; its checksum is added.
  BinaryMatrix images_in(const BlocksOfFile& opened, const SourceFile& file) {
    BinaryMatrix images = checked_images(idx_header(opened.head(kLongestIdxHeader), opened.size(), file.path.string()));
    data.sha256.push_back(verified_checksum(opened, file, source_));
    return images;
  }

  static BinaryMatrix checked_images(BinaryMatrix images) {
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

void name_pixels(Dataset& data, arma::uword d) {
  for (arma::uword j = 1; j <= d; ++j) data.inputs.push_back("pixel" + std::to_string(j));
}

void refuse_other_size(const BinaryMatrix& test, const BinaryMatrix& train) {
  if (test.dimension() == train.dimension()) return;
  throw DataError(fmt::format("{}: {} values an image; {} are expected, as in the training part", test.origin,
                              test.dimension(), train.dimension()));
}

}  // namespace

std::optional<Dataset> idx_from_disk(const Source& source, const FromDisk& from_disk) {
  const std::vector<SourceFile> named = source.parts();
  std::vector<SharedFile> files;
  double bytes = 0;
  for (const SourceFile& file : named) {
    files.push_back(open_for_blocks(file, source, from_disk));
    if (files.back() == nullptr) return std::nullopt;
    bytes += static_cast<double>(files.back()->size());
  }
  if (!from_disk.wants(bytes, 1)) return std::nullopt;

  ImageSet set(source, read_idx);
  std::vector<BinaryMatrix> images;
  std::vector<SharedRows> parts;
  for (std::size_t p = 0; p < files.size(); ++p) {
    images.push_back(set.images_in(*files[p], named[p]));
    const BinaryMatrix& part = images.back();
    p == 0 ? set.read_labels(source.train_labels, "labels_path", part)
           : set.read_labels(source.test_labels, "test_labels_path", part);
    refuse_other_size(part, images.front());
    const ArrayInFile array{part.header, number_type('u', 1, false), part.count(), part.dimension()};
    parts.push_back(
        std::make_shared<const ArrayRows>(files[p], array, arma::regspace<arma::uvec>(0, 1, part.dimension() - 1)));
  }
  Dataset& data = set.data;
  if (source.test) data.published_train = images.front().count();
  data.on_disk = parts.size() == 1 ? parts.front() : std::make_shared<const JoinedRows>(std::move(parts));
  name_pixels(data, data.dimension());
  std::vector<LookedAtColumn> columns;
  for (const std::string& name : data.inputs) columns.push_back({name});
  const Look look = look_at(*data.on_disk, data.dimension(), columns, false, named.front().path.string());
  data.constant = look.constant;
  data.pass_seconds = look.seconds;
  set.finish();
  return std::move(data);
}

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
    refuse_other_size(*test, train);
  }

  data.X.set_size(train.count() + (test ? test->count() : 0), train.dimension());
  unpack_pixels(train.data(), train.dimension(), train.count(), data.X, 0);
  if (test) unpack_pixels(test->data(), test->dimension(), test->count(), data.X, train.count());
  name_pixels(data, data.X.n_cols);
  set.finish();
  return std::move(data);
}

}  // namespace elmx
