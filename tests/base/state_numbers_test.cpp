// SPDX-License-Identifier: Apache-2.0
#include "framework/base/state_numbers.hpp"

#include <gmock/gmock.h>

#include <cstdint>
#include <deque>
#include <stdexcept>

namespace mash {
namespace {

using ::testing::ElementsAre;

TEST(StateNumbers, StandInTheOrderInWhichTheyAreWritten) {
  StateWriter writer;
  writer.add(std::uint64_t(1) << 53, -2, true);
  writer.add_all(std::vector<std::uint32_t>{7, 8});
  writer.add_counted(std::deque<bool>{false, true});
  writer.add_counted(std::vector<double>());
  EXPECT_THAT(writer.take(), ElementsAre(9007199254740992.0, -2, 1, 7, 8, 2, 0, 1, 0));
  EXPECT_THAT(writer.take(), ElementsAre()) << "nothing is left";
}

TEST(StateNumbers, AreReadAsTheyWereWritten) {
  StateWriter writer;
  writer.add(std::uint64_t(1) << 53, -2, 0.1);
  writer.add_counted(std::vector<std::uint32_t>{7, 8, 9});
  writer.add_all(std::vector<double>{5, 6});
  writer.add_counted(std::vector<double>());
  writer.add(3.5, 4.5);
  const std::vector<double> numbers = writer.take();
  StateReader reader(numbers);
  EXPECT_EQ(reader.next<std::uint64_t>(), std::uint64_t(1) << 53);
  EXPECT_EQ(reader.next<int>(), -2);
  EXPECT_EQ(reader.next(), 0.1);
  EXPECT_THAT(reader.next_counted(), ElementsAre(7, 8, 9));
  EXPECT_THAT(reader.next_all(2), ElementsAre(5, 6));
  EXPECT_THAT(reader.next_counted(), ElementsAre());
  EXPECT_THROW(reader.finish(), std::logic_error);
  EXPECT_THAT(reader.rest(), ElementsAre(3.5, 4.5));
  reader.finish();
  EXPECT_THAT(reader.rest(), ElementsAre());
}

TEST(StateNumbers, OfAnotherLengthAreRefused) {
  const std::vector<double> counted{3, 1, 2};
  EXPECT_THROW(StateReader(counted).next_counted(), std::logic_error) << "it says three, and two are there";
  EXPECT_THROW(StateReader(counted).next_all(4), std::logic_error);
  EXPECT_THROW(StateReader({}).next(), std::logic_error);
  StateReader reader(counted);
  EXPECT_THROW(reader.next_all(4), std::logic_error);
  EXPECT_THAT(reader.rest(), ElementsAre(3, 1, 2)) << "what is refused reads nothing";
}

}  // namespace
}  // namespace mash
