#include "base/machine/shared_work.hpp"

#include <algorithm>

namespace elmx {

double SharedWork::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

std::optional<SharedWork::Piece> SharedWork::claim(const std::string& key,
                                                   std::promise<std::shared_ptr<const void>>& promise) {
  const std::lock_guard lock(mutex_);
  const auto [found, fresh] = entries_.try_emplace(key);
  found->second.used = ++clock_;
  if (!fresh) return found->second.piece;
  found->second.piece = promise.get_future().share();
  return std::nullopt;
}

void SharedWork::keep(const std::string& key, double bytes) {
  const std::lock_guard lock(mutex_);
  entries_.at(key).bytes = bytes;
  bytes_ += bytes;
  while (bytes_ > limit_) {
    auto oldest = entries_.end();
    for (auto i = entries_.begin(); i != entries_.end(); ++i) {
      if (i->second.bytes > 0 && (oldest == entries_.end() || i->second.used < oldest->second.used)) oldest = i;
    }
    if (oldest == entries_.end()) return;
    bytes_ -= oldest->second.bytes;
    entries_.erase(oldest);
  }
}

void SharedWork::forget(const std::string& key) {
  const std::lock_guard lock(mutex_);
  entries_.erase(key);
}

}  // namespace elmx
