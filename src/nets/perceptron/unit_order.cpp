#include "nets/perceptron/unit_order.hpp"

#include <algorithm>
#include <array>

namespace elmx {
namespace {

// The names, in the order of UnitOrder.
constexpr std::array<std::string_view, 4> kOrders{"given", "alternating", "random", "gradient"};

}  // namespace

std::vector<std::string> unit_order_names() { return {kOrders.begin(), kOrders.end()}; }

UnitOrder unit_order_from(std::string_view name) {
  const auto order = std::ranges::find(kOrders, name);
  expects(order != kOrders.end(), "unit_order_from: a known name");
  return static_cast<UnitOrder>(order - kOrders.begin());
}

arma::uvec units_in_order(UnitOrder order, uword N, std::size_t sweep, const Rng& rng,
                          const std::function<arma::rowvec()>& gradient_norms) {
  const arma::uvec given = arma::regspace<arma::uvec>(0, N - 1);
  switch (order) {
    case UnitOrder::given:
      break;
    case UnitOrder::alternating:
      return sweep % 2 == 0 ? given : arma::reverse(given);
    case UnitOrder::random:
      return arma::conv_to<arma::uvec>::from(rng.permutation(N, sweep * N));
    case UnitOrder::gradient:
      return arma::stable_sort_index(gradient_norms(), "descend");
  }
  return given;
}

}  // namespace elmx
