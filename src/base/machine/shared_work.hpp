#pragma once

#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace elmx {

/// Pieces of work that several trials of a run share, each computed once, by the first trial that asks; the
/// others wait for it. A piece must be a function of its key alone, so that results do not depend on who
/// computes it, nor on what was dropped: beyond `limit` bytes those that were not used for longest go.
class SharedWork {
 public:
  explicit SharedWork(double limit) : limit_(limit) {}

  /// The piece of `key`; T has a member bytes(). Throws what `make` throws, and then keeps nothing.
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

  double bytes() const;

 private:
  using Piece = std::shared_future<std::shared_ptr<const void>>;
  struct Entry {
    Piece piece;
    double bytes = 0;
    std::uint64_t used = 0;
  };

  /// The piece where somebody has it or computes it; none: it is the caller's to fulfil `promise`.
  std::optional<Piece> claim(const std::string& key, std::promise<std::shared_ptr<const void>>& promise);
  void keep(const std::string& key, double bytes);
  void forget(const std::string& key);

  double limit_;
  double bytes_ = 0;
  std::uint64_t clock_ = 0;
  std::map<std::string, Entry> entries_;
  mutable std::mutex mutex_;
};

}  // namespace elmx
