#include "models/s3elm/s3elm_algorithms.hpp"

#include <array>

namespace elmx {
namespace {

constexpr std::array kS3elmAlgorithms{
    S3elmAlgorithm{"elm", "ridge regression on the labelled samples: the original ELM", "n L min(n, L)", true},
    S3elmAlgorithm{"op-elm", "nodes ranked and chosen by leave-one-out on the labelled samples: optimally pruned ELM",
                   "2 n^2 L C", false},
    S3elmAlgorithm{"selm", "least squares on the labelled samples, smooth on the graph: semi-supervised ELM",
                   "2 N^2 r + 2 N r^2", false},
    S3elmAlgorithm{"s3elm",
                   "labels of all samples and weights in turn, joint sparse regularisation prunes nodes: sparse "
                   "semi-supervised ELM",
                   "9 N^3 + 2 N^2 r + N r^2 + I min(s^3 / 3, r^2 s + r^3 / 3)", false},
};

}  // namespace

std::span<const S3elmAlgorithm> s3elm_algorithms() { return kS3elmAlgorithms; }

}  // namespace elmx
