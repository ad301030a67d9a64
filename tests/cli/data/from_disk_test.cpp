#include <sys/resource.h>

#include <cstdint>
#include <cstring>

#include "base/rng.hpp"
#include "cli/shell.hpp"
#include "data/arrays/hdf5_library.hpp"

// Inputs that stay in their file give the same results as inputs in memory.

namespace elmx {
namespace {

constexpr std::size_t kRows = 5000, kInputs = 6;  // several blocks of 2048, 512 and 64 rows

using Table = std::vector<double>;  // kRows x kInputs, row by row

/// Returns inputs of very different sizes; one column is constant.
Table inputs() {
  const Rng rng(5, Purpose::split);
  Table X(kRows * kInputs);
  for (std::size_t i = 0; i < kRows; ++i) {
    for (std::size_t j = 0; j < kInputs; ++j)
      X[i * kInputs + j] = j == 2 ? 3 : std::pow(10.0, static_cast<double>(j) - 2) * (rng.normal(i * kInputs + j) + 1);
  }
  return X;
}

Table targets(const Table& X) {
  Table y(kRows);
  for (std::size_t i = 0; i < kRows; ++i) y[i] = std::sin(100 * X[i * kInputs]) + X[i * kInputs + 1];
  return y;
}

template <class T>
std::string bytes_of(const Table& numbers) {
  std::string bytes;
  for (const double number : numbers) {
    const T value = static_cast<T>(number);
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  return bytes;
}

Table by_columns(const Table& X, std::size_t d) {
  Table columns;
  for (std::size_t j = 0; j < d; ++j) {
    for (std::size_t i = 0; i < X.size() / d; ++i) columns.push_back(X[i * d + j]);
  }
  return columns;
}

std::string npy(const std::string& type, const std::string& shape, bool by_column, const std::string& numbers) {
  std::string header =
      "{'descr': '" + type + "', 'fortran_order': " + (by_column ? "True" : "False") + ", 'shape': (" + shape + "), }";
  header.resize(118, ' ');
  header[117] = '\n';
  return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + numbers;
}

std::string idx(const std::vector<std::uint32_t>& shape, const std::string& numbers) {
  std::string bytes{'\0', '\0', '\x08', static_cast<char>(shape.size())};
  for (const std::uint32_t size : shape) {
    for (const unsigned shift : {24U, 16U, 8U, 0U}) bytes += static_cast<char>(size >> shift & 255U);
  }
  return bytes + numbers;
}

/// Writes numbers to HDF5. Chunk {0, 0}: in one piece.
void put(hid_t file, const char* name, const std::vector<hsize_t>& extent, const Table& numbers,
         const std::vector<hsize_t>& chunk = {}) {
  const Hdf5Handle space(H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr), H5Sclose),
      how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  if (!chunk.empty()) {
    check_hdf5(H5Pset_chunk(how, static_cast<int>(chunk.size()), chunk.data()));
    check_hdf5(H5Pset_shuffle(how));
    check_hdf5(H5Pset_deflate(how, 4));
  }
  const Hdf5Handle set(H5Dcreate2(file, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, how, H5P_DEFAULT), H5Dclose);
  check_hdf5(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()));
}

/// Returns the records of a run without their times, sorted by their text.
std::vector<std::string> records_of(const std::string& text) {
  std::vector<std::string> records;
  for (const std::string& line : lines_of(text)) {
    Json record = Json::parse(line);
    record.erase("timing");
    records.push_back(record.dump());
  }
  std::sort(records.begin(), records.end());
  return records;
}

class DataFromDisk : public ShellTest {
 protected:
  /// A config of all families and splits, swept over all scalings.
  static Json config(const Json& data, bool classes) {
    Json options = Json::parse(R"({
      "name": "blocks", "repeats": 1,
      "preprocess": {"inputs": ["none", "zero_one", "minus_one_one", "standard", "centred", "byte", "rank"]},
      "model": {"algorithms": ["standard", "panel", "alg3"], "nodes": {"start": 5, "stop": 20, "report": [10, 20]}},
      "split": {"kind": "holdout"},
      "cases": {
        "k-fold": {"split": {"kind": "k_fold", "folds": 3}},
        "streamed": {"model": {"algorithms": ["d-rdg", "auto", "r-inv"], "expanded_input": "streamed",
                               "leave_one_out": true}},
        "single": {"model": {"algorithms": ["standard"], "expanded_input": "streamed", "precision": "mixed"}},
        "layers": {"model": {"family": "rvfl", "nodes": 8, "layers": 2, "expanded_input": "streamed"}},
        "linear": {"model": {"family": "linear"}},
        "mean": {"model": {"family": "mean"}},
        "broad": {"model": {"family": "bls", "features": {"groups": 2, "nodes": 3}, "enhancement": {"nodes": 10}}}
      }
    })");
    options["data"] = data;
    if (classes) options["preprocess"]["targets"] = {{"class_weights", "balanced"}};
    return options;
  }

  /// Compares the run in memory with the run from disk.
  void compare(Json data, bool classes = false) {
    for (const bool from_disk : {false, true}) {
      data["from_disk"] = from_disk;
      const std::string name = from_disk ? "disk" : "memory";
      write(name + ".json", config(data, classes).dump());
      const Outcome outcome = run({"run", name + ".json", "-o", name});
      ASSERT_EQ(outcome.code, 0) << outcome.err;
      const bool said = read(name + "/experiment.json").find("inputs stay in their file") != std::string::npos;
      EXPECT_EQ(said, from_disk);
    }
    const std::vector<std::string> memory = records_of(read("memory/records.jsonl")),
                                   disk = records_of(read("disk/records.jsonl"));
    ASSERT_EQ(memory.size(), 7u * (9 + 3 + 1 + 1 + 1 + 1 + 1));
    ASSERT_EQ(disk.size(), memory.size());
    for (std::size_t i = 0; i < memory.size(); ++i) ASSERT_EQ(disk[i], memory[i]);
  }

  const Table X_ = inputs(), y_ = targets(X_);
};

TEST_F(DataFromDisk, RowsOfNpy) {
  write("x.npy", npy("<f8", "5000, 6", false, bytes_of<double>(X_)));
  write("y.npy", npy("<f8", "5000", false, bytes_of<double>(y_)));
  compare({{"path", "x.npy"}, {"format", "npy"}, {"labels_path", "y.npy"}});
}

TEST_F(DataFromDisk, ColumnsOfNpyWithTheTargetAmongThem) {
  Table both;
  for (std::size_t i = 0; i < kRows; ++i) {
    both.insert(both.end(), X_.begin() + static_cast<long>(i * kInputs),
                X_.begin() + static_cast<long>((i + 1) * kInputs));
    both.insert(both.end() - 2, y_[i] > 0 ? 1 : i % 7 == 0 ? 2 : 0);
  }
  write("x.npy", npy("<f4", "5000, 7", true, bytes_of<float>(by_columns(both, kInputs + 1))));
  compare({{"path", "x.npy"}, {"format", "npy"}, {"target", {"-3"}}, {"task", "classification"}}, true);
}

TEST_F(DataFromDisk, ImagesOfIdx) {
  Table pixels, labels;
  for (std::size_t i = 0; i < kRows; ++i) {
    for (std::size_t j = 0; j < kInputs; ++j)
      pixels.push_back(std::floor(std::fmod(std::abs(X_[i * kInputs + j]), 200)));
    labels.push_back(y_[i] > 0 ? 1 : 0);
  }
  write("x.idx", idx({kRows, 2, 3}, bytes_of<unsigned char>(pixels)));
  write("y.idx", idx({kRows}, bytes_of<unsigned char>(labels)));
  compare({{"path", "x.idx"}, {"format", "idx"}, {"labels_path", "y.idx"}, {"task", "classification"}}, true);
}

TEST_F(DataFromDisk, Hdf5InOnePiece) {
  {
    const Hdf5Handle file(H5Fcreate((work() / "x.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
    put(file, "X", {kRows, kInputs}, X_);
    put(file, "y", {kRows}, y_);
  }
  compare({{"path", "x.h5"}, {"format", "hdf5"}, {"inputs_variable", "X"}, {"target_variable", "y"}});
}

TEST_F(DataFromDisk, Hdf5InPackedChunksWhoseColumnsAreSamples) {
  {
    const Hdf5Handle file(H5Fcreate((work() / "x.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
    put(file, "X", {kInputs, kRows}, by_columns(X_, kInputs), {4, 700});
    put(file, "y", {1, kRows}, y_, {1, 999});
  }
  compare({{"path", "x.h5"},
           {"format", "hdf5"},
           {"inputs_variable", "X"},
           {"target_variable", "y"},
           {"samples_are", "columns"}});
}

TEST_F(DataFromDisk, RowsThatAreDropped) {
  Table holes = X_;
  for (std::size_t i = 7; i < holes.size(); i += 100) holes[i] = std::nan("");
  write("x.npy", npy("<f8", "5000, 6", false, bytes_of<double>(holes)));
  write("y.npy", npy("<f8", "5000", false, bytes_of<double>(y_)));
  compare({{"path", "x.npy"}, {"format", "npy"}, {"labels_path", "y.npy"}, {"missing", "drop_rows"}});
}

// Data that is refused in memory is refused from disk, too.
TEST_F(DataFromDisk, EveryNumberIsLookedAt) {
  write("y.npy", npy("<f8", "5000", false, bytes_of<double>(y_)));
  Json one = Json::parse(R"({"data": {"path": "x.npy", "format": "npy", "labels_path": "y.npy", "from_disk": true},
                             "model": {"nodes": 5}})");
  write("one.json", one.dump());
  for (const double wrong : {std::nan(""), HUGE_VAL, 1e200}) {
    Table X = X_;
    X[4999 * kInputs + 3] = wrong;
    write("x.npy", npy("<f8", "5000, 6", false, bytes_of<double>(X)));
    refuses(3, {"run", "one.json"}, {"elmx: x.npy: ", "row 5000", "\"column4\""});
  }
  write("x.npy", npy("<f8", "5000, 6", false, bytes_of<double>(X_)));
  one["preprocess"]["pca"] = {{"energy", 0.9}};
  write("one.json", one.dump());
  refuses(2, {"plan", "one.json"}, {"elmx: one.json: data.from_disk: ", "pca"});
  one.erase("preprocess");
  one["model"] = {{"family", "dec"}};
  write("one.json", one.dump());
  refuses(2, {"plan", "one.json"}, {"elmx: one.json: data.from_disk: ", "\"dec\""});
  one["model"] = {{"nodes", 5}};
  one["data"]["path"] = "x.npy.gz";
  write("one.json", one.dump());
  shell("gzip -k x.npy");
  refuses(3, {"plan", "one.json"}, {"elmx: x.npy.gz: "});
}

TEST_F(DataFromDisk, PredictionsAreThoseFromMemory) {
  write("x.npy", npy("<f8", "5000, 6", false, bytes_of<double>(X_)));
  write("y.npy", npy("<f8", "5000", false, bytes_of<double>(y_)));
  for (const std::string from_disk : {"true", "false"}) {
    write(
        from_disk + ".json",
        R"({"data": {"path": "x.npy", "format": "npy", "labels_path": "y.npy", "from_disk": )" + from_disk +
            R"(}, "save_model": true, "split": {"kind": "holdout"}, "model": {"algorithms": ["standard"], "nodes": 20}})");
    ASSERT_EQ(run({"run", from_disk + ".json", "-o", from_disk}).code, 0);
  }
  write("new.npy", npy("<f8", "5000, 6", false, bytes_of<double>(X_)));
  const Outcome disk = run({"predict", "true", "new.npy"}), memory = run({"predict", "false", "new.npy"});
  ASSERT_EQ(disk.code, 0) << disk.err;
  EXPECT_EQ(lines_of(disk.out).size(), 1 + kRows);
  EXPECT_EQ(disk.out, memory.out);
  EXPECT_EQ(run({"predict", "true", "--part", "test"}).out, run({"predict", "false", "--part", "test"}).out);
}

// The inputs have 780 MiB, but the address space is limited to 490 MiB.
TEST_F(DataFromDisk, MoreThanTheMemory) {
  if (!fs::exists(fault_library())) GTEST_SKIP() << "not with sanitizers, whose memory has no limits";
  constexpr std::size_t kSamples = 100000, kPixels = 1024;
  std::string pixels(kSamples * kPixels, '\0'), labels(kSamples, '\0');
  std::uint64_t state = 1;
  for (char& pixel : pixels)
    pixel = static_cast<char>((state = state * 6364136223846793005U + 1442695040888963407U) >> 56);
  for (std::size_t i = 0; i < kSamples; ++i) labels[i] = static_cast<char>(pixels[i * kPixels] < 0);
  write("x.idx", idx({kSamples, kPixels}, pixels));
  write("y.idx", idx({kSamples}, labels));
  write("large.json", R"({"data": {"path": "x.idx", "format": "idx", "labels_path": "y.idx", "task": "classification"},
    "preprocess": {"inputs": "byte"}, "split": {"kind": "holdout"},
    "model": {"algorithms": ["standard"], "nodes": 10}})");

  const std::string limit = "ulimit -v 500000; export OMP_NUM_THREADS=1; ";
  const Outcome memory = shell(limit + "$E run large.json -o memory --set data.from_disk=false");
  EXPECT_EQ(memory.code, 2) << memory.err;
  EXPECT_NE(memory.err.find("memory"), std::string::npos) << memory.err;
  const Outcome plan = shell(limit + "$E plan large.json");
  EXPECT_EQ(plan.code, 0) << plan.err;
  EXPECT_NE(plan.out.find("x.idx: inputs stay on disk (781 MiB in memory)"), std::string::npos) << plan.out;
  const Outcome disk = shell(limit + "$E run large.json -o disk");
  EXPECT_EQ(disk.code, 0) << disk.err;
}

}  // namespace
}  // namespace elmx
