// SPDX-License-Identifier: Apache-2.0
#include "framework/base/scratch_allocator.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace mash {
namespace {

using Large = std::vector<std::uint8_t, ScratchAllocator<std::uint8_t>>;

// The KiB of one kind of memory that this process has: RssAnon or RssShmem of the kernel's account.
std::size_t kib_of(const std::string& kind) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (std::size_t kib = 0; word == kind + ":" && status >> kib) return kib;
  return 0;
}

TEST(ScratchAllocator, KeepsLargeArraysOutOfAnonymousMemory) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer's own memory would be counted too";
#endif
  const std::size_t before = kib_of("RssAnon");
  const Large large(kScratchBytes, 7);
  EXPECT_LT(kib_of("RssAnon"), before + (kScratchBytes >> 12));
  EXPECT_EQ(large.front(), 7);
  EXPECT_EQ(large.back(), 7);
}

TEST(ScratchAllocator, IsOrdinaryMemoryWhereThereIsNoPlace) {
  const char* folder = std::getenv("TMPDIR");
  const std::string before = folder ? folder : "";
  setenv("TMPDIR", "/nowhere", 1);
  const Large large(kScratchBytes, 7);
  folder ? setenv("TMPDIR", before.c_str(), 1) : unsetenv("TMPDIR");
  EXPECT_EQ(large.back(), 7);
}

TEST(ScratchAllocator, GrowsAndMoves) {
  Large grown;
  for (std::size_t i = 0; i < 1000; ++i) grown.push_back(std::uint8_t(i));
  grown.resize(kScratchBytes + 1);
  EXPECT_EQ(grown[999], std::uint8_t(999));
  const Large moved = std::move(grown);
  EXPECT_EQ(moved.size(), kScratchBytes + 1);
  EXPECT_EQ(moved.back(), 0);
}

}  // namespace
}  // namespace mash
