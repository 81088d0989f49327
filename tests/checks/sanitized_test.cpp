// SPDX-License-Identifier: Apache-2.0
#include "framework/checks/sanitized.hpp"

#include <gmock/gmock.h>

namespace mash::checks {
namespace {

TEST(SanitizerReport, SaysWhatWasDoneInWords) {
  const auto words = [](const char* text) {
    const auto report = read_sanitizer_report(text);
    return report ? report->what : "no report";
  };
  EXPECT_EQ(
      words("==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x61\nREAD of size 4 at 0x61\n"),
      "reads outside an array on the heap (AddressSanitizer: heap-buffer-overflow)");
  EXPECT_EQ(
      words("==7==ERROR: AddressSanitizer: stack-buffer-overflow on address 0x61\nWRITE of size 4 at 0x61\n"),
      "writes outside an array on the stack (AddressSanitizer: stack-buffer-overflow)");
  EXPECT_EQ(
      words("==7==ERROR: AddressSanitizer: SEGV on unknown address 0x0\n==7==The signal is caused by a WRITE "
            "memory access.\n"),
      "writes where it has no memory (AddressSanitizer: SEGV)");
  EXPECT_EQ(words("==7==ERROR: AddressSanitizer: attempting double-free on 0x61 in thread T0:\n"),
            "frees memory twice (AddressSanitizer: attempting double-free)");
  EXPECT_EQ(words("==7==ERROR: AddressSanitizer: something-new on address 0x61\n"),
            "AddressSanitizer: something-new");
  EXPECT_EQ(
      words("edges.cpp:8:64: runtime error: signed integer overflow: 81 * 30574876 cannot be represented\n"),
      "undefined behaviour: signed integer overflow: 81 * 30574876 cannot be represented");
  EXPECT_EQ(words("a heuristic may print what it likes\n"), "no report");
  EXPECT_EQ(words(""), "no report");
}

TEST(SanitizerReport, NamesThePlaceOfUndefinedBehaviour) {
  const auto report = read_sanitizer_report("edges.cpp:8:64: runtime error: division by zero\n    #0 0x7f\n");
  ASSERT_TRUE(report);
  EXPECT_EQ(report->place, "edges.cpp:8");
  EXPECT_FALSE(report->is_of_memory);
}

}  // namespace
}  // namespace mash::checks
