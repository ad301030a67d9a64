#pragma once

#include "cli/program.hpp"

namespace elmx {

/// Returns the LD_PRELOAD library of machine faults (support/faults.cpp), not built with sanitizers.
inline fs::path fault_library() { return elmx_binary().parent_path() / "tests" / "support" / "libfaults.so"; }

/// Runs the program in bash scripts: with pipes, links, limits.
class ShellTest : public ProgramTest {
 protected:
  /// Runs a script in the working folder; $E is the program.
  Outcome shell(const std::string& script) const {
    write(".script", script + "\n");
    const std::string out = (work() / ".out").string(), err = (work() / ".err").string();
    const std::string command =
        "cd '" + work().string() + "' && export E='" + elmx_binary().string() +
        "' OPENBLAS_NUM_THREADS=1; env -u ELMX_DATA -u ELMX_HOME bash .script > .out 2> .err < /dev/null";
    const int status = std::system(command.c_str());
    const Outcome outcome{WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), content_of(out),
                          content_of(err)};
    for (const char* name : {".script", ".out", ".err"}) fs::remove(work() / name);
    return outcome;
  }
};

}  // namespace elmx
