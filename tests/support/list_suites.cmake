# One ctest test for each suite of a test program, and several for a long one: cmake -D PROGRAM=... -D LIST=... -P list_suites.cmake
# writes LIST. A process for each suite, not for each of some five thousand tests, halves what all of them take.
set(MOST 48)  # tests of one process

# "Suite.", its tests two blanks further in; comments say parameters.
execute_process(COMMAND ${PROGRAM} --gtest_list_tests OUTPUT_VARIABLE TEXT COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE "  #[^\n]*" "" TEXT "${TEXT}")
string(REGEX MATCHALL "[^ \n]+\\.(\n  [^ \n]+)+" SUITES "${TEXT}")

set(ALL_SKIPPED "PASSED  . 0 tests.\n(.  SKIPPED .[^\n]*\n)+$")
set(LINES "")
foreach(SUITE ${SUITES})
  string(REGEX MATCH "^[^\n]+" NAME "${SUITE}")
  string(REGEX MATCHALL "\n" TESTS "${SUITE}")
  list(LENGTH TESTS COUNT)
  math(EXPR SHARDS "(${COUNT} + ${MOST} - 1) / ${MOST}")
  math(EXPR LAST "${SHARDS} - 1")
  foreach(SHARD RANGE ${LAST})
    string(REGEX REPLACE "\\.$" "" TEST "${NAME}")
    if(SHARDS GREATER 1)
      math(EXPR PART "${SHARD} + 1")
      string(APPEND TEST ".${PART}")
    endif()
    # Skipped is what skips all of its tests, where a data set is not at hand; what fails them all ends in other lines.
    string(APPEND LINES "add_test([==[${TEST}]==] [==[${PROGRAM}]==] [==[--gtest_filter=${NAME}*]==])\n"
      "set_tests_properties([==[${TEST}]==] PROPERTIES COST ${COUNT} SKIP_REGULAR_EXPRESSION [==[${ALL_SKIPPED}]==]"
      " ENVIRONMENT [==[GTEST_TOTAL_SHARDS=${SHARDS};GTEST_SHARD_INDEX=${SHARD}]==])\n")
  endforeach()
endforeach()
file(WRITE ${LIST} "${LINES}")
