// SPDX-License-Identifier: Apache-2.0
#include "framework/base/state_file.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <limits>

#include "framework/base/file.hpp"
#include "tests/support/scratch_folder.hpp"

namespace mash {
namespace {

class StateFile : public ::testing::Test {
 protected:
  const testing::ScratchFolder folder_;
  const std::filesystem::path path_ = folder_ / "state";
  const std::vector<double> numbers_{1.0 / 3, -0.0, std::numeric_limits<double>::infinity()};
};

TEST_F(StateFile, ComesBackToTheLastBit) {
  ASSERT_TRUE(save_state(path_, "a document", numbers_).ok());
  const auto state = load_state(path_);
  ASSERT_TRUE(state);
  EXPECT_EQ(state->document, "a document");
  EXPECT_EQ(state->numbers, numbers_);
  EXPECT_TRUE(std::signbit(state->numbers[1]));
}

TEST_F(StateFile, MayBeEmpty) {
  ASSERT_TRUE(save_state(path_, "", {}).ok());
  const auto state = load_state(path_);
  ASSERT_TRUE(state);
  EXPECT_TRUE(state->document.empty());
  EXPECT_TRUE(state->numbers.empty());
}

TEST_F(StateFile, MissingTornOrDamagedIsNone) {
  EXPECT_FALSE(load_state(path_));
  ASSERT_TRUE(save_state(path_, "a document", numbers_).ok());
  const std::string whole = *read_file(path_, 1000);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    std::ofstream(path_, std::ios::binary) << whole.substr(0, size);
    EXPECT_FALSE(load_state(path_)) << size;
  }
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = char(damaged[at] ^ 0x10);
    std::ofstream(path_, std::ios::binary) << damaged;
    EXPECT_FALSE(load_state(path_)) << at;
  }
}

}  // namespace
}  // namespace mash
