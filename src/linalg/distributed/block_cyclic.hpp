#pragma once

#include <algorithm>

#include "linalg/view.hpp"

namespace elmx {

/// Indices 0, 1, 2, ... dealt in blocks of `block` to `parts` owners in turn; this is what `part` has, in
/// order.
struct BlockCyclic {
  uword block;
  uword part, parts;

  /// Of the indices below n, those of this part: its local indices are 0 .. count(n) - 1.
  uword count(uword n) const {
    const uword blocks = n / block, rest = n % block, own = blocks / parts;
    const uword last = blocks % parts;
    return own * block + (part < last ? block : part == last ? rest : 0);
  }

  uword global(uword local) const { return (local / block * parts + part) * block + local % block; }
  bool owns(uword index) const { return index / block % parts == part; }
  uword local(uword index) const { return index / (block * parts) * block + index % block; }
};

/// Body(begin, end) for each maximal piece of [begin, end) that lies in one block of this part, in global
/// indices.
template <class Body>
void for_each_piece(const BlockCyclic& dealt, uword begin, uword end, const Body& body) {
  for (uword b = begin / dealt.block; b * dealt.block < end; ++b) {
    if (b % dealt.parts == dealt.part) body(std::max(begin, b * dealt.block), std::min(end, (b + 1) * dealt.block));
  }
}

}  // namespace elmx
