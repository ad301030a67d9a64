set(LIST_SUITES ${CMAKE_CURRENT_LIST_DIR}/list_suites.cmake)

# Every record is forced to the disk, which takes most of the time of a small run; in memory this takes none.
set(IN_MEMORY "")
execute_process(COMMAND df --block-size=1G --output=avail /dev/shm OUTPUT_VARIABLE GIGABYTES ERROR_QUIET)
if(GIGABYTES MATCHES "[1-9]")
  set(IN_MEMORY TEST_TMPDIR=/dev/shm TMPDIR=/dev/shm)
endif()

# Adds the suites of a test program to ctest as soon as it is built.
function(add_suites PROGRAM)
  set(LIST ${CMAKE_CURRENT_BINARY_DIR}/${PROGRAM}_suites.cmake)
  add_custom_command(TARGET ${PROGRAM} POST_BUILD BYPRODUCTS ${LIST} VERBATIM
                     COMMAND ${CMAKE_COMMAND} -D PROGRAM=$<TARGET_FILE:${PROGRAM}> "-DENVIRONMENT=${IN_MEMORY}" -D LIST=${LIST} -P ${LIST_SUITES})
  set(INCLUDE ${CMAKE_CURRENT_BINARY_DIR}/${PROGRAM}_include.cmake)
  file(WRITE ${INCLUDE} "if(EXISTS [==[${LIST}]==])\n  include([==[${LIST}]==])\nelse()\n  add_test(${PROGRAM}_NOT_BUILT ${PROGRAM}_NOT_BUILT)\nendif()\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${INCLUDE})
endfunction()
