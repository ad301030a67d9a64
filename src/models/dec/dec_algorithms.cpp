#include "models/dec/dec_algorithms.hpp"

#include <array>

namespace elmx {
namespace {

constexpr std::array kDecAlgorithms{
    DecAlgorithm{"dec", "decomposition: output weights by least squares, input weights unit by unit (Algorithm DEC)",
                 "N (6 + 4 I) P n + P N^2", "makes one major step", true},
    DecAlgorithm{"lbfgs", "L-BFGS on all weights", "4 P N (n + C)", "makes one iteration", false},
    DecAlgorithm{"relm", "random hidden units, ridge regression: regularised ELM, which is DEC(1)", "P N^2",
                 "trains the whole network", true},
    DecAlgorithm{"elm", "random hidden units, output weights of minimum norm (singular values): ELM", "4 P N^2",
                 "trains the whole network", false},
};

}  // namespace

std::span<const DecAlgorithm> dec_algorithms() { return kDecAlgorithms; }

}  // namespace elmx
