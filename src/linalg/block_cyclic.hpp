#pragma once

#include <algorithm>

#include "linalg/view.hpp"

namespace elmx {

/// The indices of one part in a block-cyclic layout: indices 0, 1, 2, ... go to `parts` parts in turn, in
/// blocks of `block`.
struct BlockCyclic {
  uword block;
  uword part, parts;

  /// Returns how many of the indices below n belong to this part; their local indices are 0 .. count(n) - 1.
  uword count(uword n) const {
    const uword blocks = n / block, rest = n % block, own = blocks / parts;
    const uword last = blocks % parts;
    return own * block + (part < last ? block : part == last ? rest : 0);
  }

  uword global(uword local) const { return (local / block * parts + part) * block + local % block; }
  bool owns(uword index) const { return index / block % parts == part; }
  uword local(uword index) const { return index / (block * parts) * block + index % block; }
};

/// Calls body(begin, end) for each maximal piece of [begin, end) that lies in one block of this part, in
/// global indices.
template <class Body>
void for_each_piece(const BlockCyclic& dealt, uword begin, uword end, const Body& body) {
  for (uword b = begin / dealt.block; b * dealt.block < end; ++b) {
    if (b % dealt.parts == dealt.part) body(std::max(begin, b * dealt.block), std::min(end, (b + 1) * dealt.block));
  }
}

}  // namespace elmx
