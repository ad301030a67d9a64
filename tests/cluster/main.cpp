// Every rank runs all tests. Rank 0 prints what GoogleTest does, the others only what fails.
#include <gtest/gtest.h>

#include <iostream>

#include "base/communicator.hpp"
#include "linalg/blas.hpp"

namespace {

class FailuresOnly final : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo& test) override {
    running_ = std::string(test.test_suite_name()) + "." + test.name();
  }
  void OnTestPartResult(const testing::TestPartResult& part) override {
    if (!part.failed()) return;
    std::cerr << "rank " << elmx::ranks().rank() << ": " << running_ << '\n'
              << part.file_name() << ':' << part.line_number() << ": " << part.message() << std::endl;
  }

  std::string running_;
};

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (testing::GTEST_FLAG(list_tests)) return RUN_ALL_TESTS();
  elmx::join_ranks();
  if (!elmx::ranks().present()) {
    std::cerr << "test_cluster: needs several ranks; start it with mpirun -n RANKS test_cluster\n";
    return 2;
  }
  elmx::set_threads(1);
  if (!elmx::ranks().first()) {
    testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new FailuresOnly);
  }
  const int failed = RUN_ALL_TESTS();
  elmx::leave_ranks();
  return failed;
}
