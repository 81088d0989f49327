// SPDX-License-Identifier: Apache-2.0
#include "framework/render/table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <string>

namespace mash {
namespace {

using ::testing::HasSubstr;

TEST(Table, ColumnsAndCellsAreFoundByTheirKeys) {
  const Table table{"", {{"a", "A"}, {"b", "B"}}, {{std::string("x"), std::int64_t(7)}}, ""};
  EXPECT_EQ(place_of_column(table, "b"), 1u);
  EXPECT_EQ(place_of_column(table, "c"), 2u);
  EXPECT_EQ(std::get<std::int64_t>(*find_cell(table, 0, "b")), 7);
  EXPECT_EQ(find_cell(table, 0, "c"), nullptr);
}

TEST(Show, CountsArePlainUpToAMillion) {
  EXPECT_EQ(show(std::int64_t(0), Format::kCount), "0");
  EXPECT_EQ(show(std::int64_t(999999), Format::kCount), "999999");
  EXPECT_EQ(show(std::int64_t(1000000), Format::kCount), "1.00 M");
  EXPECT_EQ(show(std::int64_t(12345678), Format::kCount), "12.3 M");
  EXPECT_EQ(show(std::int64_t(999600000), Format::kCount), "1.00 G");
  EXPECT_EQ(show(std::int64_t(600000000000), Format::kCount), "600 G");
  EXPECT_EQ(show(std::numeric_limits<std::int64_t>::max(), Format::kCount), "9.22 E");
}

TEST(Show, EachFormat) {
  EXPECT_EQ(show(0.01354, Format::kPercent), "1.35 %");
  EXPECT_EQ(show(Estimate{0.01354, 0.0004}, Format::kPercent), "1.35 % ± 0.04");
  EXPECT_EQ(show(Estimate{0.5, std::nullopt}, Format::kPercent), "50.00 %");
  EXPECT_EQ(show(-0.12345, Format::kDecimal), "-0.123");
  EXPECT_EQ(show(2.04e-5, Format::kMicroseconds), "20.4");
  EXPECT_EQ(show(std::string("hog"), Format::kText), "hog");
}

TEST(Show, WhatIsNotThereIsADash) {
  EXPECT_EQ(show(Cell(), Format::kPercent), "–");
  EXPECT_EQ(show(std::numeric_limits<double>::quiet_NaN(), Format::kDecimal), "–");
  EXPECT_EQ(show(-std::numeric_limits<double>::infinity(), Format::kDecimal), "−∞");
}

Table sample_table() {
  Table table;
  table.title = "Sample";
  table.columns = {{"rank", "rank", Format::kCount},
                   {"name", "who", Format::kText},
                   {"error", "error", Format::kPercent, true}};
  table.rows = {{std::int64_t(1), std::string("Zoë, \"Z\""), Estimate{0.1, 0.05}},
                {std::int64_t(10), std::string("b"), Estimate{0.2, std::nullopt}}};
  table.hint = "nothing yet";
  return table;
}

TEST(WithoutColumn, TakesItAwayWhereItIs) {
  const Table table{"", {{"a", "a"}, {"b", "b"}}, {{Cell(), "x"}, {Cell(), "y"}}, ""};
  EXPECT_EQ(without_column(table, "b").columns.size(), 1u);
  EXPECT_EQ(without_column(table, "b").rows[0].size(), 1u);
  EXPECT_EQ(without_column(table, "c").columns.size(), 2u);
  EXPECT_EQ(without_empty_column(table, "a").columns[0].key, "b");
  EXPECT_EQ(without_empty_column(table, "b").columns.size(), 2u);
  EXPECT_EQ(without_empty_column(table, "c").columns.size(), 2u);
}

TEST(RenderText, AlignsByCharactersAndNotByBytes) {
  EXPECT_EQ(render_text(sample_table()),
            "rank  who                error\n"
            "   1  Zoë, \"Z\"  10.00 % ± 5.00\n"
            "  10  b                20.00 %\n"
            "±: half the width of the 95 % interval\n");
  Table without = sample_table();
  without.rows.erase(without.rows.begin());
  EXPECT_EQ(render_text(without).find("±"), std::string::npos);
}

TEST(RenderText, WithoutRowsItIsTheHint) {
  Table table = sample_table();
  table.rows.clear();
  EXPECT_EQ(render_text(table), "nothing yet\n");
}

TEST(RenderText, NamesCannotCommandTheTerminal) {
  Table table = sample_table();
  table.rows[0][1] = std::string("\x1b[31mred\nnext");
  const std::string text = render_text(table);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_THAT(text, HasSubstr("?[31mred?next"));
}

TEST(RenderJson, HasNumbersAndIntervals) {
  const auto document = nlohmann::json::parse(render_json(sample_table()));
  EXPECT_EQ(document["title"], "Sample");
  EXPECT_EQ(document["rows"][0]["name"], "Zoë, \"Z\"");
  EXPECT_EQ(document["rows"][0]["error"], 0.1);
  EXPECT_EQ(document["rows"][0]["error_ci95"], 0.05);
  EXPECT_TRUE(document["rows"][1]["error_ci95"].is_null());
  EXPECT_FALSE(document.contains("hint"));
}

TEST(RenderJson, StaysADocumentWhateverTheCells) {
  Table table = sample_table();
  table.rows[0] = {Cell(), std::string("\xff\xfe not UTF-8"),
                   Estimate{std::numeric_limits<double>::quiet_NaN(), 1}};
  const auto document = nlohmann::json::parse(render_json(table), nullptr, false);
  ASSERT_FALSE(document.is_discarded());
  EXPECT_TRUE(document["rows"][0]["rank"].is_null());
  EXPECT_TRUE(document["rows"][0]["error"].is_null());
}

TEST(RenderJson, WithoutRowsItHasTheHint) {
  Table table = sample_table();
  table.rows.clear();
  const auto document = nlohmann::json::parse(render_json(table));
  EXPECT_TRUE(document["rows"].is_array() && document["rows"].empty());
  EXPECT_EQ(document["hint"], "nothing yet");
}

TEST(RenderCsv, QuotesByRfc4180) {
  EXPECT_EQ(render_csv(sample_table()),
            "rank,name,error,error_ci95\r\n"
            "1,\"Zoë, \"\"Z\"\"\",0.1,0.05\r\n"
            "10,b,0.2,\r\n");
}

TEST(RenderMarkdown, AlignsNamesLeftAndNumbersRight) {
  Table table;
  table.columns = {{"name", "name", Format::kText}, {"error", "error %", Format::kPercent}};
  table.rows = {{std::string("a|b"), .0123}, {std::string("c"), Cell()}};
  EXPECT_EQ(render_markdown(table), "| name | error % |\n|---|---:|\n| a\\|b | 1.23 % |\n| c | – |\n");
  table.rows.clear();
  table.hint = "nothing yet";
  EXPECT_EQ(render_markdown(table), "nothing yet\n");
}

TEST(Table, NoTextIsTakenForAFormula) {
  Table table{"", {{"a", "a"}, {"b", "b", Format::kDecimal}}, {}, ""};
  table.rows = {{"=1+1", -2.5}, {"-cmd", 1.0}, {"@x", Cell()}, {"plain=1", 0.0}};
  EXPECT_EQ(render_csv(without_formulas(table)), "a,b\r\n'=1+1,-2.5\r\n'-cmd,1.0\r\n'@x,\r\nplain=1,0.0\r\n");
}

}  // namespace
}  // namespace mash
