# How a module, its tests and its benchmarks become targets.

add_library(basalt_compile_options INTERFACE)
target_compile_options(basalt_compile_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-qual -Wformat=2
  $<$<BOOL:${BASALT_WERROR}>:-Werror>
  -fno-omit-frame-pointer -ffunction-sections -fdata-sections)
target_link_options(basalt_compile_options INTERFACE -Wl,--gc-sections)
target_include_directories(basalt_compile_options INTERFACE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(basalt_compile_options INTERFACE Threads::Threads)
# spdlog's own copy of fmt would double the formatter; Debian ships it built against the fmt library.
if(BASALT_SANITIZE)
  target_compile_options(basalt_compile_options INTERFACE -fsanitize=${BASALT_SANITIZE} -fno-sanitize-recover=all)
  target_link_options(basalt_compile_options INTERFACE -fsanitize=${BASALT_SANITIZE})
endif()

# basalt_module(NAME SOURCES file... [DEPENDS target...]): the static library basalt_NAME and its alias basalt::NAME.
# Dependencies are public: a module's headers may show its dependencies' types.
function(basalt_module name)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS" ${ARGN})
  add_library(basalt_${name} STATIC ${arg_SOURCES})
  add_library(basalt::${name} ALIAS basalt_${name})
  target_link_libraries(basalt_${name} PUBLIC basalt_compile_options ${arg_DEPENDS})
endfunction()

# GoogleTest's headers cost more than most tests: parsed once, shared by all test programs. The modules themselves have no
# precompiled header, so that each file has to include what it uses.
if(BUILD_TESTING)
  file(WRITE ${PROJECT_BINARY_DIR}/test_headers.cpp "")
  add_library(basalt_test_headers OBJECT ${PROJECT_BINARY_DIR}/test_headers.cpp)
  target_link_libraries(basalt_test_headers PRIVATE basalt_compile_options GTest::gtest GTest::gmock)
  target_precompile_headers(basalt_test_headers PRIVATE <gmock/gmock.h> <gtest/gtest.h> <functional> <map> <memory>
    <optional> <string> <thread> <vector>)
endif()

# Seconds that a test may take. The thread sanitizer makes them about ten times as slow.
set(BASALT_TEST_TIMEOUT 300)
if(BASALT_SANITIZE MATCHES thread)
  set(BASALT_TEST_TIMEOUT 1200)
endif()

# basalt_test(NAME SOURCES file... DEPENDS target...): a GoogleTest program, one CTest test for each program.
function(basalt_test name)
  cmake_parse_arguments(arg "" "TIMEOUT" "SOURCES;DEPENDS;LABELS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE basalt_compile_options ${arg_DEPENDS} GTest::gtest GTest::gmock GTest::gtest_main)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_precompile_headers(${name} REUSE_FROM basalt_test_headers)
  # GCC 12 forgets in a precompiled header that std::string is a system header, and warns about its insides.
  target_compile_options(${name} PRIVATE -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread)
  add_test(NAME ${name} COMMAND ${name})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT ${BASALT_TEST_TIMEOUT})
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS "${arg_LABELS}")
endfunction()
