// SPDX-License-Identifier: Apache-2.0
#include "framework/base/number.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace mash {
namespace {

TEST(Number, IsTheWholeText) {
  EXPECT_EQ(number_in<int>("-12"), -12);
  EXPECT_EQ(number_in<unsigned>("0012"), 12u);
  EXPECT_EQ(number_in<std::uint64_t>("18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(number_in<double>("-1.5e2"), -150.0);
  EXPECT_TRUE(std::isinf(number_in<double>("inf").value()));
  EXPECT_TRUE(std::isnan(number_in<double>("nan").value()));
  for (const char* bad : {"", "-", "+7", " 7", "7 ", "7x", "0x10", "1.5", "1e2", "2147483648"})
    EXPECT_FALSE(number_in<int>(bad)) << bad;
  for (const char* bad : {"", "-", "+7", " 7", "7 ", "7x", "0x10", "1,5", "1e999", "1e-999"})
    EXPECT_FALSE(number_in<double>(bad)) << bad;
  EXPECT_FALSE(number_in<unsigned>("-1"));
}

TEST(Number, IsTakenOffTheFront) {
  std::string_view text = "12:-3.5min";
  EXPECT_EQ(take_number<int>(text), 12);
  EXPECT_EQ(text, ":-3.5min");
  EXPECT_FALSE(take_number<int>(text));
  EXPECT_EQ(text, ":-3.5min") << "stays as it is";
  text.remove_prefix(1);
  EXPECT_EQ(take_number<double>(text), -3.5);
  EXPECT_EQ(text, "min");
  text = "99999999999999999999999s";
  EXPECT_FALSE(take_number<int>(text));
  EXPECT_EQ(text, "99999999999999999999999s");
}

TEST(Number, WithoutASignCountsOrNames) {
  EXPECT_EQ(whole_number_in("0"), 0);
  EXPECT_EQ(whole_number_in("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  for (const char* bad : {"", "-0", "-1", "+1", " 1", "1 ", "1.0", "9223372036854775808"})
    EXPECT_FALSE(whole_number_in(bad)) << bad;
}

TEST(Number, OfDataThatIsTooLargeIsTheLargestFloat) {
  constexpr double kLargest = std::numeric_limits<float>::max();
  for (const char* large : {"1e308", "1.79769313486e+308", "1e39", "1e999", "+1E400", "3.5e38"})
    EXPECT_EQ(data_number_in(large), kLargest) << large;
  for (const char* small : {"-1e308", "-1e39", "-1e999"})
    EXPECT_EQ(data_number_in(small), -kLargest) << small;
  EXPECT_EQ(data_number_in("-1e-999"), 0.0);
}

TEST(Number, OfDataIsFiniteAndFitsAFloat) {
  EXPECT_EQ(data_number_in("6."), 6.0);
  EXPECT_EQ(data_number_in("-1.5e2"), -150.0);
  EXPECT_EQ(data_number_in("+7"), 7.0);
  EXPECT_EQ(data_number_in("1e-999"), 0.0);
  for (const char* bad : {"", "+", "-", "nan", "inf", "-inf", "0x10", "1 2", "1,5", "+-1", "12a"})
    EXPECT_FALSE(data_number_in(bad)) << bad;
}

TEST(Number, InDigitsIsRoundedAndHasNoExponent) {
  for (const auto& [number, digits, text] : {std::tuple(1312.4, 2, "1300"),
                                             {1312.4, 3, "1310"},
                                             {999.7, 3, "1000"},
                                             {-0.12345, 3, "-0.123"},
                                             {0.00012345, 2, "0.00012"},
                                             {2500000.0, 3, "2500000"},
                                             {0.1, 3, "0.1"},
                                             {0.0, 3, "0"},
                                             {std::numeric_limits<double>::infinity(), 3, "inf"},
                                             {std::numeric_limits<double>::quiet_NaN(), 3, "nan"}})
    EXPECT_EQ(in_digits(number, digits), text);
}

}  // namespace
}  // namespace mash
