#pragma once

#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace elmx {

/// A cache of pieces of work that several trials of a run share. The first trial that requests a piece
/// computes it; others wait for it. Beyond `limit` bytes, the least recently used pieces are dropped. A piece
/// must be a function of its key alone, so that results depend neither on the computing trial nor on the
/// dropped pieces.
class SharedWork {
 public:
  explicit SharedWork(double limit) : limit_(limit) {}

  /// Returns the piece of `key`. T must have a member bytes(). Keeps nothing if `make` throws, and rethrows.
  template <class T>
  std::shared_ptr<const T> get(const std::string& key, const std::function<T()>& make) {
    std::promise<std::shared_ptr<const void>> promise;
    if (const auto known = claim(key, promise)) return std::static_pointer_cast<const T>(known->get());
    try {
      const auto piece = std::make_shared<const T>(make());
      promise.set_value(piece);
      keep(key, piece->bytes());
      return piece;
    } catch (...) {
      promise.set_exception(std::current_exception());
      forget(key);
      throw;
    }
  }

  double bytes() const {
    const std::lock_guard lock(mutex_);
    return bytes_;
  }

 private:
  using Piece = std::shared_future<std::shared_ptr<const void>>;
  struct Entry {
    Piece piece;
    double bytes = 0;
    std::uint64_t used = 0;
  };

  /// Returns the piece if it exists or is being computed; if none, the caller must fulfil `promise`.
  std::optional<Piece> claim(const std::string& key, std::promise<std::shared_ptr<const void>>& promise) {
    const std::lock_guard lock(mutex_);
    const auto [found, fresh] = entries_.try_emplace(key);
    found->second.used = ++clock_;
    if (!fresh) return found->second.piece;
    found->second.piece = promise.get_future().share();
    return std::nullopt;
  }

  void keep(const std::string& key, double bytes) {
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

  void forget(const std::string& key) {
    const std::lock_guard lock(mutex_);
    entries_.erase(key);
  }

  double limit_;
  double bytes_ = 0;
  std::uint64_t clock_ = 0;
  std::map<std::string, Entry> entries_;
  mutable std::mutex mutex_;
};

}  // namespace elmx
