// Every rank runs all tests. Rank 0 prints what GoogleTest does, the others only what fails.
#include <gtest/gtest.h>

#include <iostream>

#include "base/ranks/ranks.hpp"
#include "linalg/blas.hpp"

namespace {

class FailuresOnly final : public testing::EmptyTestEventListener {
  void OnTestPartResult(const testing::TestPartResult& part) override {
    if (!part.failed()) return;
    const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
    std::cerr << "rank " << elmx::ranks().rank() << ": "
              << (test ? std::string(test->test_suite_name()) + "." + test->name() : "") << '\n'
              << part.file_name() << ':' << part.line_number() << ": " << part.message() << std::endl;
  }
};

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (testing::GTEST_FLAG(list_tests)) return RUN_ALL_TESTS();
  elmx::join_ranks();
  if (!elmx::ranks().present()) {
    std::cerr << "test_over_ranks: started alone; allowed: mpirun -n RANKS test_over_ranks\n";
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
