// The tests of the program have the objects of the program linked to them, with its main() renamed by the
// linker (--wrap=main), so that a forked process can become the program (ProgramTest::start).
#include <gtest/gtest.h>

#include <string_view>

#include "base/machine/machine.hpp"
#include "experiment/records/stored_run.hpp"

extern "C" int __real_main(int argc, char** argv);
extern "C" int __wrap_main(int argc, char** argv);

int __wrap_main(int argc, char** argv) {
  // The program executes itself again, by the name of this file.
  if (argc > 1 && !std::string_view(argv[1]).starts_with("--gtest")) return __real_main(argc, argv);
  elmx::prepare_blas_library(argv);
  elmx::let_waiting_threads_sleep(argv);
  elmx::describe_program();  // the forked processes inherit the checksum of the program
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
