#include "experiment/records/trial_identity.hpp"

#include "base/files/sha256.hpp"

namespace elmx {
namespace {

constexpr std::size_t kDigits = 16;

std::string digest(std::string_view bytes) { return sha256(bytes).substr(0, kDigits); }

template <class T>
void append(const arma::Mat<T>& M, std::string& bytes) {
  bytes.append(reinterpret_cast<const char*>(M.memptr()), M.n_elem * sizeof(T));
}

/// Numbers of the rows in the files.
arma::uvec numbers_of(const Dataset& data, const arma::uvec& rows) {
  return data.kept_rows.is_empty() ? rows : arma::uvec(data.kept_rows.elem(rows));
}

}  // namespace

TrialKeys::TrialKeys(const CaseSpec& spec, const Dataset& data)
    : determined_{{"version", kComputedVersion}, {"config", spec.identity()}, {"sha256", data.sha256},
                  {"algorithm", nullptr},        {"repeat", nullptr},         {"fold", nullptr}} {}

std::string TrialKeys::of(const std::string& algorithm, std::size_t repeat, std::size_t fold) {
  determined_["algorithm"] = algorithm;
  determined_["repeat"] = repeat;
  determined_["fold"] = fold;
  return digest(determined_.dump());
}

SampleDigests sample_digests(const Dataset& data, const ExperimentOptions& options, const Fold& fold) {
  const Json content =
      data.sha256.empty() ? Json{{"data", options.data.identity()}, {"seed", options.seed}} : Json(data.sha256);
  std::string train, test;
  append(numbers_of(data, fold.train), train);
  append(numbers_of(data, fold.unlabelled), train);
  append(numbers_of(data, fold.test), test);
  if (data.task == Task::regression) {
    append(arma::mat(data.Y.rows(fold.test)), test);
  } else {
    append(arma::uvec(data.labels.elem(fold.test)), test);
    for (const std::string& name : data.classes) test += name + '\n';
  }
  train += std::to_string(fold.train.n_elem);  // the start of the unlabelled part
  return {digest(content.dump()), digest(train), digest(test)};
}

}  // namespace elmx
