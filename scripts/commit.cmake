# Writes FILE, which defines kCommit as the commit of the repository SOURCE. A file that is up to date keeps its time.
execute_process(COMMAND git -C ${SOURCE} rev-parse --short=12 HEAD OUTPUT_VARIABLE COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
file(CONFIGURE OUTPUT ${FILE} CONTENT [[
#include "base/version.hpp"

const char* const elmx::kCommit = "@COMMIT@";
]] @ONLY)
