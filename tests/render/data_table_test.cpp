// SPDX-License-Identifier: Apache-2.0
#include "framework/render/data_table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace mash {
namespace {

TEST(DataTable, AsCsvIsRfc4180) {
  const DataTable table{"t",
                        {{"number", std::vector<std::int64_t>{-1, 9007199254740993}},
                         {"real, too", std::vector<double>{0.1, std::nan("")}},
                         {"text", std::vector<std::optional<std::string>>{"a \"b\"\nc", std::nullopt}}}};
  EXPECT_EQ(table.num_rows(), 2u);
  EXPECT_EQ(to_csv(table),
            "number,\"real, too\",text\r\n"
            "-1,0.1,\"a \"\"b\"\"\nc\"\r\n"
            "9007199254740993,,\r\n");
}

TEST(DataTable, NumbersReadBackToTheSameBits) {
  const double third = 1.0 / 3, tiny = std::numeric_limits<double>::denorm_min();
  const DataTable table{"t", {{"x", std::vector<double>{third, tiny, -INFINITY, 1e300}}}};
  const std::string csv = to_csv(table);
  std::size_t at = csv.find('\n') + 1;
  for (const double expected : {third, tiny, -double(INFINITY), 1e300}) {
    EXPECT_EQ(std::strtod(csv.c_str() + at, nullptr), expected);
    at = csv.find('\n', at) + 1;
  }
}

TEST(DataTable, WithoutRowsOrColumns) {
  EXPECT_EQ(to_csv({"t", {{"x", std::vector<double>{}}}}), "x\r\n");
  EXPECT_EQ((DataTable{"t", {}}).num_rows(), 0u);
}

}  // namespace
}  // namespace mash
