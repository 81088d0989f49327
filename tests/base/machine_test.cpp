// SPDX-License-Identifier: Apache-2.0
#include "framework/base/machine.hpp"

#include <gmock/gmock.h>

#include <thread>
#include <vector>

#include "framework/base/instruction_set.hpp"

namespace mash {
namespace {

TEST(ThisMachine, SaysWhatItIs) {
  const MachineInfo machine = this_machine();
  EXPECT_THAT(machine.os, ::testing::HasSubstr("Linux"));
  EXPECT_EQ(machine.instruction_set, instruction_set());
  EXPECT_EQ(machine.num_cores, int(std::thread::hardware_concurrency()));
  EXPECT_GT(machine.memory_bytes, std::uint64_t(1) << 24);
}

TEST(PeakMemory, IsAtLeastWhatWasWrittenTo) {
  constexpr std::size_t kBytes = std::size_t(64) << 20;
  const std::vector<char> ours(kBytes, 1);
  EXPECT_GE(peak_memory_bytes(), kBytes) << "held here: " << ours.size();
  EXPECT_LE(peak_memory_bytes(), this_machine().memory_bytes);
}

}  // namespace
}  // namespace mash
