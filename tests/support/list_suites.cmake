# The ctest tests of a test program: cmake -D PROGRAM=... -D ENVIRONMENT=... -D LIST=... -P list_suites.cmake writes LIST.
# A process takes some 0.1 s before its first test, so short suites share one, and long ones have several. A ctest test
# is named after its suites, so that `ctest -R SUITE` finds it. OpenBLAS has one thread: elmx has its own threads, and
# OpenBLAS waits for ever if another thread forks, which ends those of OpenBLAS.
set(MOST 80)  # tests of one process
set(WAITING OverRanks)  # a suite that mostly waits for other processes

# "Suite.", its tests two blanks further in; comments say parameters.
execute_process(COMMAND ${PROGRAM} --gtest_list_tests OUTPUT_VARIABLE TEXT COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE "  #[^\n]*" "" TEXT "${TEXT}")
string(REGEX MATCHALL "[^ \n]+\\.(\n  [^ \n]+)+" SUITES "${TEXT}")

# Skipped is what skips all of its tests, where a data set is not at hand; what fails them all ends in other lines.
set(ALL_SKIPPED "PASSED  . 0 tests.\n(.  SKIPPED .[^\n]*\n)+$")
set(LINES "")
macro(add_process NAME FILTER COUNT SHARDS SHARD PLACES)
  string(APPEND LINES "add_test([==[${NAME}]==] [==[${PROGRAM}]==] [==[--gtest_filter=${FILTER}]==])\n"
    "set_tests_properties([==[${NAME}]==] PROPERTIES COST ${COUNT} PROCESSORS ${PLACES} SKIP_REGULAR_EXPRESSION [==[${ALL_SKIPPED}]==]"
    " ENVIRONMENT [==[OPENBLAS_NUM_THREADS=1;GTEST_TOTAL_SHARDS=${SHARDS};GTEST_SHARD_INDEX=${SHARD};${ENVIRONMENT}]==])\n")
endmacro()

set(TOGETHER 0)  # tests of the suites that share the next process
foreach(SUITE ${SUITES} end)
  string(REGEX MATCHALL "\n" TESTS "${SUITE}")
  list(LENGTH TESTS COUNT)
  math(EXPR SUM "${TOGETHER} + ${COUNT}")
  if(TOGETHER GREATER 0 AND (SUM GREATER MOST OR SUITE STREQUAL end))
    string(REPLACE ".*:" " " NAMES "${FILTER}")
    string(STRIP "${NAMES}" NAMES)
    add_process("${NAMES}" "${FILTER}" ${TOGETHER} 1 0 4)
    set(TOGETHER 0)
  endif()
  string(REGEX MATCH "^[^\n]+" PREFIX "${SUITE}")
  if(PREFIX STREQUAL "${WAITING}.")
    add_process(${WAITING} "${PREFIX}*" ${MOST} 1 0 1)
  elseif(COUNT GREATER MOST)
    math(EXPR SHARDS "(${COUNT} + ${MOST} - 1) / ${MOST}")
    foreach(PART RANGE 1 ${SHARDS})
      math(EXPR SHARD "${PART} - 1")
      add_process("${PREFIX}${PART}" "${PREFIX}*" ${MOST} ${SHARDS} ${SHARD} 4)
    endforeach()
  elseif(TOGETHER EQUAL 0)
    set(FILTER "${PREFIX}*:")
    set(TOGETHER ${COUNT})
  else()
    string(APPEND FILTER "${PREFIX}*:")
    math(EXPR TOGETHER "${TOGETHER} + ${COUNT}")
  endif()
endforeach()
file(WRITE ${LIST} "${LINES}")
