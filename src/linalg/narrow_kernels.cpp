#include "linalg/narrow_kernels.hpp"

#include <cstring>

#include "base/machine/machine.hpp"

namespace elmx {
namespace {

constexpr uword kLanes = 8;
using Singles [[gnu::vector_size(kLanes * sizeof(float))]] = float;
using Doubles [[gnu::vector_size(kLanes * sizeof(double))]] = double;

[[gnu::always_inline]] inline void load(const float* from, Doubles& to) {
  Singles narrow;
  std::memcpy(&narrow, from, sizeof narrow);
  to = __builtin_convertvector(narrow, Doubles);
}
[[gnu::always_inline]] inline void load(const double* from, Doubles& to) { std::memcpy(&to, from, sizeof to); }
[[gnu::always_inline]] inline void store(const Doubles& from, double* to) { std::memcpy(to, &from, sizeof from); }

}  // namespace

ELMX_CPU_CLONES void add_narrow_product(const float* A, uword k, const double* X, double* Z) {
  for (uword i = 0; i < kNarrowRows; i += 2 * kLanes) {
    Doubles sum[kNarrowOutputs][2];
    for (uword q = 0; q < kNarrowOutputs; ++q) {
      load(Z + q * kNarrowRows + i, sum[q][0]);
      load(Z + q * kNarrowRows + i + kLanes, sum[q][1]);
    }
    const float* a = A + i;
    const double* x = X;
    for (uword j = 0; j < k; ++j, a += kNarrowStride, x += kNarrowOutputs) {
      Doubles upper, lower;
      load(a, upper);
      load(a + kLanes, lower);
      for (uword q = 0; q < kNarrowOutputs; ++q) {
        sum[q][0] += upper * x[q];
        sum[q][1] += lower * x[q];
      }
    }
    for (uword q = 0; q < kNarrowOutputs; ++q) {
      store(sum[q][0], Z + q * kNarrowRows + i);
      store(sum[q][1], Z + q * kNarrowRows + i + kLanes);
    }
  }
}

ELMX_CPU_CLONES void add_narrow_cross(const float* A, uword k, const double* E, double* C) {
  constexpr uword kColumns = 4;
  for (uword j = 0; j < k; j += kColumns) {
    Doubles sum[kColumns][kNarrowOutputs] = {};
    const float* a = A + j * kNarrowStride;
    for (uword i = 0; i < kNarrowRows; i += kLanes) {
      Doubles e[kNarrowOutputs];
      for (uword q = 0; q < kNarrowOutputs; ++q) load(E + q * kNarrowRows + i, e[q]);
      for (uword p = 0; p < kColumns; ++p) {
        Doubles column;
        load(a + p * kNarrowStride + i, column);
        for (uword q = 0; q < kNarrowOutputs; ++q) sum[p][q] += column * e[q];
      }
    }
    for (uword p = 0; p < kColumns; ++p) {
      for (uword q = 0; q < kNarrowOutputs; ++q) {
        double total = 0;
        for (uword lane = 0; lane < kLanes; ++lane) total += sum[p][q][lane];
        C[(j + p) * kNarrowOutputs + q] += total;
      }
    }
  }
}

}  // namespace elmx
