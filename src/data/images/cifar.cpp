#include "data/images/cifar.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "data/content/bytes.hpp"
#include "data/images/pixels.hpp"
#include "data/table/classes.hpp"
#include "data/table/source.hpp"
#include "data/table/table.hpp"
#include "data/values/text.hpp"

namespace elmx {
namespace {

constexpr arma::uword kClasses = 10;
constexpr arma::uword kChannelPixels = 32 * 32;
constexpr arma::uword kPixels = 3 * kChannelPixels;
constexpr arma::uword kRecordBytes = 1 + kPixels;

/// The batches of a set in memory, as they were read.
struct Batches {
  std::vector<std::string> bytes;
  std::vector<double> labels;  // of all batches read
};

void read_batch(const SourceFile& file, const Source& source, Batches& batches, Dataset& data) {
  Content content = read_verified(file, source);
  data.sha256.push_back(content.sha256);
  const std::size_t size = content.bytes.size();
  if (size == 0 || size % kRecordBytes != 0) {
    throw DataError(fmt::format("{}: {}; one or more whole records of {} bytes are expected", content.origin,
                                counted(size, "byte"), kRecordBytes));
  }
  for (std::size_t at = 0; at < size; at += kRecordBytes) {
    const unsigned label = byte_at(content.bytes, at);
    if (label >= kClasses) {
      throw DataError(fmt::format("{}: label of record {} is {}; allowed: 0 to {}", content.origin,
                                  at / kRecordBytes + 1, label, kClasses - 1));
    }
    batches.labels.push_back(label);
  }
  batches.bytes.push_back(std::move(content.bytes));
}

std::vector<std::string> read_class_names(const SourceFile& file, const Source& source, Dataset& data) {
  const Content content = read_verified(file, source);
  data.sha256.push_back(content.sha256);
  std::vector<std::string> names;
  Lines lines(content.bytes);
  while (lines.next_content("")) names.emplace_back(lines.line());
  const std::size_t different = std::set<std::string>(names.begin(), names.end()).size();
  if (names.size() != kClasses || different != kClasses) {
    throw DataError(fmt::format("{}: {}, {} of them different; {} are expected, one a line", content.origin,
                                counted(names.size(), "class name"), different, kClasses));
  }
  return names;
}

std::vector<std::string> digits() {
  std::vector<std::string> names;
  for (arma::uword k = 0; k < kClasses; ++k) names.push_back(std::to_string(k));
  return names;
}

}  // namespace

Dataset load_cifar(const Source& source) {
  Dataset data;
  Batches batches;
  read_batch(source.train, source, batches, data);
  for (const SourceFile& file : source.batches) read_batch(file, source, batches, data);
  if (source.test) {
    data.published_train = batches.labels.size();
    read_batch(*source.test, source, batches, data);
  }

  data.X.set_size(batches.labels.size(), kPixels);
  arma::uword row = 0;
  for (const std::string& bytes : batches.bytes) {
    const arma::uword count = bytes.size() / kRecordBytes;
    unpack_pixels(std::string_view(bytes).substr(1), kRecordBytes, count, data.X, row);
    row += count;
  }
  for (const char* channel : {"red", "green", "blue"}) {
    for (arma::uword j = 1; j <= kChannelPixels; ++j) data.inputs.push_back(channel + std::to_string(j));
  }
  const auto names = source.class_names ? read_class_names(*source.class_names, source, data) : digits();
  set_targets(data, source.table.task, names, batches.labels);
  return data;
}

}  // namespace elmx
