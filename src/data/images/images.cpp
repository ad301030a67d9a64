#include "data/images/images.hpp"

#include <fmt/core.h>

#include <map>
#include <set>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "data/content/unpack.hpp"
#include "data/rows/input_rows.hpp"
#include "data/table/dataset.hpp"
#include "data/table/source.hpp"
#include "data/values/text.hpp"

namespace elmx {
namespace {

constexpr arma::uword kMostLabels = 256;
constexpr arma::uword kCifarClasses = 10;
constexpr arma::uword kChannelPixels = 32 * 32;
constexpr arma::uword kRecordBytes = 1 + 3 * kChannelPixels;
constexpr std::string_view kTestBatch = "test_batch.bin", kClassNames = "batches.meta.txt";  // of the archive

using OpenFiles = std::vector<SharedContent>;

/// Opens a file of the set, and adds it to those that are open.
SharedContent open_part(const SourceFile& file, const Source& source, const FromDisk& from_disk, OpenFiles& open) {
  return open.emplace_back(std::make_shared<const Content>(open_for_blocks(file, source, from_disk)));
}

std::vector<std::string> checksums_of(const OpenFiles& files) {
  std::vector<std::string> checksums;
  for (const SharedContent& file : files) checksums.push_back(file->checksum());
  return checksums;
}

void refuse_other_than_images(const BinaryMatrix& images) {
  if (images.shape.size() < 2 || images.array.type.bytes != 1)
    throw DataError(images.origin(), "expected images of unsigned bytes, found labels");
}

/// Reads a column of labels, the numbers 0 ... classes - 1.
arma::mat read_labels(const RowSource& labels, arma::uword classes, const std::string& origin) {
  arma::mat T = read_all(labels);
  for (arma::uword i = 0; i < T.n_rows; ++i) {
    if (T(i, 0) < 0 || T(i, 0) >= static_cast<double>(classes))
      throw DataError(origin, fmt::format("label {}: expected a number from 0 to {}, found {}", i + 1, classes - 1,
                                          shortest(T(i, 0))));
  }
  return T;
}

/// Reads the labels of `images` images as a column.
arma::mat labels_in(const BinaryMatrix& labels, arma::uword images) {
  if (labels.shape.size() != 1 || labels.count() != images)
    throw DataError(labels.origin(),
                    fmt::format("expected a label for each of {}, found {} in {}", counted(images, "image"),
                                counted(labels.count(), "label"), counted(labels.shape.size(), "dimension")));
  return read_labels(*labels.rows(), kMostLabels, labels.origin());
}

/// The batches of CIFAR-10, training batches first, and the file of class names.
struct CifarFiles {
  std::vector<SharedContent> batches;
  bool has_test = false;      // the last one
  SharedContent class_names;  // null = there is none
};

/// Opens files of one batch each.
CifarFiles open_batches(SharedContent first, const Source& source, OpenFiles& open) {
  CifarFiles files;
  files.batches.push_back(std::move(first));
  for (const SourceFile& file : source.batches) files.batches.push_back(open_part(file, source, {}, open));
  if (source.test) {
    files.batches.push_back(open_part(*source.test, source, {}, open));
    files.has_test = true;
  }
  return files;
}

/// Unpacks the batches of an archive: data_batch_1.bin and so on, test_batch.bin, batches.meta.txt.
CifarFiles unpack_batches(SharedContent archive, const Source& source) {
  if (!source.batches.empty() || source.test)
    throw DataError(archive->origin, "the archive has all batches; remove data.batch_paths and data.test_path");
  std::map<std::string, Content, std::less<>> members;
  const std::string on_disk = archive->file ? archive->head(archive->size()) : "";
  ArchiveReader reader(archive->file ? on_disk : archive->bytes, archive->origin, ArchiveKind::tar);
  while (reader.next()) {
    const std::string name = reader.name().substr(reader.name().rfind('/') + 1);
    if (!name.starts_with("data_batch_") && name != kTestBatch && name != kClassNames) continue;
    const std::string origin = archive->origin + ": " + reader.name();
    if (!members.try_emplace(name, Content{origin, reader.content(), ""}).second)
      throw DataError(origin, "the archive has two files of this name; remove one");
  }
  CifarFiles files;
  files.has_test = members.contains(kTestBatch);
  for (auto& [name, content] : members) {  // "batches.meta.txt" < "data_batch_..." < "test_batch.bin"
    const auto file = std::make_shared<const Content>(std::move(content));
    if (name == kClassNames)
      files.class_names = file;
    else
      files.batches.push_back(file);
  }
  if (files.batches.size() <= (files.has_test ? 1U : 0U))
    throw DataError(archive->origin, "the archive has no batch of the training part, such as data_batch_1.bin");
  return files;
}

std::vector<std::string> class_names_in(const Content& content) {
  std::vector<std::string> names;
  Lines lines(content.bytes);
  while (lines.next_content("")) names.emplace_back(lines.line());
  const std::size_t different = std::set<std::string>(names.begin(), names.end()).size();
  if (names.size() != kCifarClasses || different != kCifarClasses)
    throw DataError(content.origin,
                    fmt::format("expected {} different class names, one per line, found {} ({} different)",
                                kCifarClasses, names.size(), different));
  return names;
}

}  // namespace

void ImageOptions::fields(FieldVisitor& field) {
  field("labels_path", labels_path, "IDX, NORB, NPY: the file of the labels or targets that belong to \"path\"",
        a_path());
  field("test_labels_path", test_labels_path,
        "IDX, NORB, NPY: the file of the labels or targets that belong to \"test_path\"", a_path());
}

void CifarOptions::fields(FieldVisitor& field) {
  field("batch_paths", batch_paths, "CIFAR-10: batches of the training part that follow the batch of \"path\"",
        a_path());
  field("class_names_path", class_names_path, "CIFAR-10: file of the class names, batches.meta.txt", a_path());
}

Dataset load_images(const Source& source, BinaryMatrix (*read)(SharedContent), const FromDisk& from_disk) {
  Dataset data;
  data.task = source.table.task;
  OpenFiles open;
  std::vector<BinaryMatrix> images;
  std::vector<SharedRows> rows;
  double values = 0;
  arma::mat T;
  for (const SourceFile& file : source.parts()) {
    const bool test = !images.empty();
    const BinaryMatrix& part = images.emplace_back(read(open_part(file, source, from_disk, open)));
    refuse_other_than_images(part);
    if (source.targets) {
      const std::optional<SourceFile>& labels = test ? source.test_labels : source.train_labels;
      if (!labels)
        throw ConfigError(test ? "/data/test_labels_path" : "/data/labels_path",
                          fmt::format("missing; format \"{}\" needs a file of labels", source.format));
      T = arma::join_cols(T, labels_in(read(open_part(*labels, source, {}, open)), part.count()));
    }
    if (part.dimension() != images.front().dimension())
      throw DataError(part.origin(), fmt::format("expected {} per image as in the training part, found {}",
                                                 counted(images.front().dimension(), "value"), part.dimension()));
    rows.push_back(source.block_mean > 1 ? block_means(part, source.block_mean) : part.rows());
    values += static_cast<double>(part.count()) * static_cast<double>(rows.back()->cols());
  }
  if (source.test) data.published_train = images.front().count();
  for (arma::uword j = 1; j <= rows.front()->cols(); ++j) data.inputs.push_back("pixel" + std::to_string(j));
  put_inputs(data, joined_rows(std::move(rows)), from_disk.wants(values, 1), source.train.path.string());
  data.sha256 = checksums_of(open);
  set_targets(data, std::move(T));
  return data;
}

Dataset load_cifar(const Source& source) {
  Dataset data;
  data.task = source.table.task;
  OpenFiles open;
  SharedContent first = open_part(source.train, source, {}, open);
  CifarFiles files =
      is_tar(first->head()) ? unpack_batches(std::move(first), source) : open_batches(std::move(first), source, open);
  if (!files.class_names && source.class_names) files.class_names = open_part(*source.class_names, source, {}, open);
  std::vector<std::string> names;
  if (files.class_names) names = class_names_in(*files.class_names);
  std::vector<SharedRows> rows;
  arma::mat labels;
  for (const SharedContent& file : files.batches) {
    if (files.has_test && file == files.batches.back()) data.published_train = labels.n_rows;
    if (file->size() == 0 || file->size() % kRecordBytes != 0)
      throw DataError(file->origin, fmt::format("expected whole records of {} bytes, found {}", kRecordBytes,
                                                counted(file->size(), "byte")));
    const ArrayInFile records{0, number_type('u', 1, false), file->size() / kRecordBytes, kRecordBytes};
    labels = arma::join_cols(labels, read_labels(*array_rows(file, records, {0}), kCifarClasses, file->origin));
    rows.push_back(array_rows(file, records, arma::regspace<arma::uvec>(1, 1, kRecordBytes - 1)));
  }
  for (const char* channel : {"red", "green", "blue"}) {
    for (arma::uword j = 1; j <= kChannelPixels; ++j) data.inputs.push_back(channel + std::to_string(j));
  }
  put_inputs(data, joined_rows(std::move(rows)), false, source.train.path.string());
  data.sha256 = checksums_of(open);
  set_targets(data, std::move(labels), names);
  return data;
}

}  // namespace elmx
