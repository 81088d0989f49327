// SPDX-License-Identifier: Apache-2.0
// Tables as people have them. Each test is a table of instances to which a line adds another.
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/dataset/data_files.hpp"

namespace mash {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using testing::expect_input_error;
using ::testing::HasSubstr;
using testing::load;
using testing::TemporaryFolder;

using Keys = std::vector<std::pair<const char*, std::string>>;

Result<Dataset> load_csv(std::string_view text, const Keys& keys = {}) {
  const TemporaryFolder folder;
  Settings settings;
  settings.add("path", folder.write("table.csv", text), "test.yaml:1");
  settings.add("test", "1", "test.yaml:1");
  for (const auto& [key, value] : keys) settings.add(key, value, "test.yaml:1");
  return load_dataset("csv", std::move(settings), 1, testing::quiet_work());
}

// The names of columns and the number of examples that a table has with `header: auto`; "?" where it is an
// error that asks for the key.
std::string read_as(std::string_view text, const Keys& keys) {
  const auto dataset = load_csv(text, keys);
  if (!dataset.ok())
    return dataset.error().message.find("the key 'header'") != std::string::npos ? "?"
                                                                                 : dataset.error().message;
  return fmt::format("{} {}", fmt::join(dataset->column_names, ","),
                     dataset->train.num_examples + dataset->test.num_examples);
}

TEST(TableHeader, IsFoundWhereItIsOne) {
  struct Instance {
    const char* text;
    Keys keys;
    const char* expected;
  };
  const Instance instances[] = {
      {"age,class\n1,a\n2,b\n", {}, "age 2"},
      // No column has numbers.
      {"class,cap,odor\ne,x,a\np,b,f\ne,x,l\np,f,f\n", {}, "class,cap 4"},
      {"class,cap,odor\ne,x,a\np,b,f\ne,x,l\np,f,f\n", {{"label", "first"}}, "cap,odor 4"},
      {"e,x,a\np,b,f\ne,x,l\np,f,f\ne,x,a\n", {}, "c0,c1 5"},
      {"cap,odor\nx,a\nb,f\n", {{"label", "odor"}}, "cap 2"},
      {"cap,odor\nx,a\nb,f\n", {}, "?"},         // a header, or three classes
      {"x,new\nx,a\nb,f\nb,f\n", {}, "?"},       // a rare class, or a column that has its name's value
      {"a,b,label\n", {}, "?"},                  // one row
      {"1,2,b\n1,3,a\n2,2,a\n", {}, "c0,c1 3"},  // a rare class among numbers
      {"0,1,2,b\n5,6,7,a\n5,6,8,a\n", {}, "?"},  // numbers of columns, or a rare class
      {",0,1,2,b\n0,5,6,7,a\n1,5,6,8,a\n", {}, "0,1,2 2"},  // as pandas writes columns without names
      {"2019,2020,2021,country\n1,3,2,a\n2,4,1,b\n1,1,1,a\n", {}, "?"},  // years, or a rare class
      {"400.5,401,401.5,kind\n1,3,2,a\n2,4,1,b\n1,1,1,a\n", {}, "?"},
      {"2019,2020,name\n1,3,a\n2,4,b\n1,1,a\n", {}, "?"},
      {"5,4,3,b\n1,3,2,a\n2,4,1,a\n", {}, "c0,c1,c2 3"},  // numbers that fall are none
      {"2019,age,class\n1,3,a\n2,4,b\n", {}, "?"},        // a number and a text above numbers
      {"age,class\n,a\n2,b\n", {}, "age 2"},              // the first value is missing
      {"age,\"two\nlines\",class\n1,2,a\n3,4,b\n", {}, "age,two lines 2"},
  };
  for (const Instance& instance : instances)
    EXPECT_EQ(read_as(instance.text, instance.keys), instance.expected) << instance.text;
}

TEST(TableHeader, AColumnOfRowNumbersIsLeftOut) {
  for (const auto& [text, expected] :
       {std::pair(",a,label\n0,2,x\n1,3,y\n2,4,x\n3,5,y\n", "a 4"),
        std::pair("\"\",a,label\n\"1\",2,x\n\"2\",3,y\n", "a 2"),  // as R writes it
        std::pair("Unnamed: 0,a,label\n7,2,x\n3,3,y\n", "a 2"),    // of a part, in another order
        std::pair(",a,label\n0.5,2,x\n1,3,y\n", "c0,a 2"),         // no whole numbers
        std::pair(",a,label\n4,2,x\n4,3,y\n", "c0,a 2"),           // not different
        std::pair(",a,label\n0.0,2,x\n1.0,3,y\n", "a 2"),          // as numbers with a point
        std::pair(",a,label\n0,2,x\n-1,3,y\n", "a 2"),
        std::pair(",a,label\n0,2,x\n1,3,y\n0,2,x\n1,5,y\n", "a 4"),   // of two tables
        std::pair(",Unnamed: 0,a,label\n0,5,2,x\n1,6,3,y\n", "a 2"),  // saved twice
        std::pair(",Unnamed: 0.1,Unnamed: 0,a,label\n0,5,0,2,x\n1,6,1,3,y\n", "a 2"),
        std::pair("id,a,label\n0,2,x\n1,3,y\n", "id,a 2")})
    EXPECT_EQ(read_as(text, {}), expected) << text;
  const auto dataset = load_csv(",a,label\n0,2,x\n1,3,y\n");
  ASSERT_LOADS(dataset);
  EXPECT_THAT(dataset->warnings, Contains(HasSubstr("left out the first column")));
  const auto unnamed = load_csv(",a,label\n0.5,2,x\n1,3,y\n");
  ASSERT_LOADS(unnamed);
  EXPECT_THAT(unnamed->warnings, Contains(HasSubstr("the column c0 has no name")));
}

TEST(TableLabels, ThatAreNoClassesAreRefused) {
  struct Instance {
    const char* text;
    Keys keys;
  };
  for (const Instance& instance :
       {Instance{"1,2.5\n2,3.5\n3,1\n", {}},  //
        Instance{"x,price\n1,99.95\n2,10\n", {}}, Instance{"1;2,5\n2;3,5\n", {{"delimiter", ";"}}},
        Instance{"1,1e-3\n2,2e-3\n", {}}, Instance{"1,1.5\n2,2.5\n3,NA\n4,3.5\n", {}},
        Instance{"1,$2.50\n2,$3.50\n3,$2.50\n", {}}, Instance{"1,2.5%\n2,3%\n3,2.5%\n", {}}})
    expect_input_error(load_csv(instance.text, instance.keys),
                       {"table.csv", "no whole numbers", "the right column?", "'nominal'"});
  const TemporaryFolder folder;
  expect_input_error(load("libsvm", {{"path", folder.write("a.svm", "0.5 1:1\n0.25 1:2\n")}}),
                     {"a.svm", "'0.25'", "no whole numbers"});
  // Where the user says that they are names, and where they are whole however written.
  EXPECT_TRUE(load_csv("1,2.5\n2,3.5\n3,2.5\n", {{"nominal", "1"}}).ok());
  EXPECT_TRUE(load_csv("1,2.0\n2,3.\n3,2e0\n").ok());
  EXPECT_TRUE(load_csv("1,a\n2,b\n3,1.5\n").ok());  // a name among names
}

TEST(TableLabels, OneClassOrOneExampleOfEachCannotBeLearnt) {
  for (const auto& [text, keys, expected] :
       {std::tuple("label,p0,p1\n5,0,0\n0,0,0\n4,0,0\n1,0,0\n", Keys{{"label", "last"}}, "one class, '0'"),
        std::tuple("1,a\n2,a\n3,b\n", Keys{}, "one class, 'a'"),  // on the training side
        std::tuple("1,a\n2,b\n3,c\n4,d\n", Keys{}, "4 of 4 examples alone"),
        std::tuple("1,a\n2,a\n3,b\n4,c\n5,d\n", Keys{}, "3 of 5 examples alone")}) {
    const auto dataset = load_csv(text, keys);
    ASSERT_LOADS(dataset) << text;
    expect_input_error(check_classes(*dataset), {expected, "'label'"});
  }
  for (const char* text : {"1,a\n2,b\n3,a\n", "1,a\n2,a\n3,b\n4,c\n5,a\n"}) {
    const auto dataset = load_csv(text);
    ASSERT_LOADS(dataset);
    EXPECT_TRUE(check_classes(*dataset).ok()) << text;
  }
}

TEST(TableLabels, ListsOfClassesEnd) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += fmt::format("1,class{}\n", i);
  const auto dataset = load_csv(text);
  ASSERT_LOADS(dataset);
  EXPECT_LT(dataset->warnings.size(), 30u);
  EXPECT_THAT(dataset->warnings, Contains("... and 989 more classes have no test examples"));
}

TEST(TableColumns, OfNamesThatMayBeNumbersAreTold) {
  struct Instance {
    const char* cells;  // of a column, between blanks
    const char* warning;
  };
  const Instance instances[] = {
      {"1,5 2,5 10,5 9,5", "decimal"},
      {"10% 20% 15% 12%", "look like numbers"},
      {"2020-01-05 2020-01-06 2020-01-05 2020-02-01", "look like numbers"},
      {"05.01.2020 06.01.2020 07.01.2020 08.01.2020", "look like numbers"},
      {"12:30 12:31 12:32 12:30", "look like numbers"},
      {"1'000 2'500 1'250 3'000", "look like numbers"},
      {"1.000.000 2.500.000 1.250.000 3.000.000", "look like numbers"},
      {"5€ 7€ 9€ 5€", "look like numbers"},
      {"5kg 7kg 12kg 5kg", "look like numbers"},
      {"3.5°C 12°C 4°C -1°C", "look like numbers"},
      {"CHF12.50 CHF3 CHF12.50 CHF4", "look like numbers"},
      {"¥100 ¥250 ¥100 ¥90", "look like numbers"},
      {"2020-01-05T12:00:00Z 2020-01-05T13:00:00Z 2020-01-06T12:00:00Z", "look like numbers"},
      {"1:30PM 2:30AM 1:30PM 12:00AM", "look like numbers"},
      {"5-Jan-20 6-Feb-20 5-Jan-20", "look like numbers"},
      {"1_000 2_000 1_500", "look like numbers"},
      {"2015–2019 2016–2020 2015–2019", "look like numbers"},
      {"1st 2nd 3rd 1st", ""},
      {"anna bert carl dora emil", "a name of its own"},
      {"red blue red blue red", ""},
      {"A12 B7 A12 B7 A12", ""},
  };
  for (const Instance& instance : instances) {
    std::string text = "x;label\n";
    std::string_view rest = instance.cells;
    for (int row = 0; !rest.empty(); ++row) {
      const std::string_view cell = rest.substr(0, rest.find(' '));
      rest.remove_prefix(std::min(rest.size(), cell.size() + 1));
      text += fmt::format("{};{}\n", cell, row % 2 ? "a" : "b");
    }
    const auto dataset = load_csv(text, {{"delimiter", ";"}, {"header", "yes"}});
    ASSERT_LOADS(dataset) << text;
    const bool is_told = std::ranges::any_of(dataset->warnings, [&](const std::string& warning) {
      return warning.starts_with("column x: ") && warning.find(instance.warning) != std::string::npos;
    });
    EXPECT_EQ(is_told, *instance.warning != '\0') << instance.cells;
  }
}

TEST(TableColumns, WhoseNumbersAreNoLongerDifferentAreTold) {
  for (const auto& [first, step, is_told] :
       {std::tuple(1'700'000'000.0, 1.0, true), std::tuple(0.0, 1.0, false), std::tuple(0.1, 0.01, false),
        std::tuple(16'777'216.0, 1.0, true), std::tuple(9e15, 1.0, true)}) {
    std::string text;
    for (int row = 0; row < 60; ++row)
      text += fmt::format("{},{}\n", first + row * step, row % 2 ? "a" : "b");
    const auto dataset = load_csv(text);
    ASSERT_LOADS(dataset) << text;
    const bool told = std::ranges::any_of(dataset->warnings, [](const std::string& warning) {
      return warning.starts_with("column c0: 60 different numbers become ");
    });
    EXPECT_EQ(told, is_told) << first;
  }
}

TEST(TableColumns, OfLabelsThatNobodyNamedAreTold) {
  const auto told = [](const char* text, const Keys& keys) {
    const auto dataset = load_csv(text, keys);
    return dataset.ok() && std::ranges::any_of(dataset->warnings, [](const std::string& warning) {
             return warning.find("is taken for the label, and") != std::string::npos;
           });
  };
  const char* first = "Label,p0,p1\na,1,0\nb,2,1\na,1,0\n";
  EXPECT_TRUE(told(first, {}));
  EXPECT_FALSE(told(first, {{"label", "last"}}));
  EXPECT_FALSE(told(first, {{"label", "Label"}}));
  EXPECT_FALSE(told(first, {{"ignore", "Label"}}));
  EXPECT_FALSE(told("p0,p1,species\n1,0,a\n2,1,b\n1,0,a\n", {}));
  EXPECT_FALSE(told("label,p0,class\n1,0,a\n2,1,b\n1,0,a\n", {}));
}

TEST(TableColumns, DecimalCommasAreNumbersWhenAsked) {
  const char* text = "x;y;label\n1,5;2,25;a\n2,5;3,75;b\n10,5;4,1;a\n9,5;-5,2e1;b\n";
  const auto dataset = load_csv(text, {{"delimiter", ";"}, {"decimal", ","}});
  ASSERT_LOADS(dataset);
  EXPECT_THAT(dataset->column_names, ElementsAre("x", "y"));
  EXPECT_THAT(dataset->train.values, ElementsAre(1.5, 2.25, 2.5, 3.75, 10.5, 4.1f));
  EXPECT_THAT(dataset->test.values, ElementsAre(9.5, -52));
  expect_input_error(load_csv(text, {{"delimiter", ","}, {"decimal", ","}}), {"test.yaml:1", "decimal"});
  expect_input_error(load_csv("1,5;a\n2.5;b\n3,5;a\n", {{"delimiter", ";"}, {"decimal", ","}}),
                     {"column c0"});
}

TEST(TableColumns, AreSummedUp) {
  const auto dataset = load_csv("x,colour,label\n1,red,a\n1,,b\n,blue,a\n3,red,b\n");
  ASSERT_LOADS(dataset);
  const std::vector<ColumnSummary> columns = column_summaries(*dataset);
  ASSERT_EQ(columns.size(), 2u);
  EXPECT_EQ(columns[0].name, "x");
  EXPECT_FALSE(columns[0].has_names);
  EXPECT_EQ(columns[0].num_distinct, 2u);
  EXPECT_EQ(columns[0].num_missing, 1u);
  EXPECT_TRUE(columns[1].has_names);
  EXPECT_EQ(columns[1].num_distinct, 2u);
  EXPECT_EQ(columns[1].num_missing, 1u);
  EXPECT_THAT(dataset->category_names, ElementsAre(ElementsAre(), ElementsAre("blue", "red")));
}

TEST(TableFields, MayBreakLinesInQuotes) {
  for (const auto& [text, classes] :
       {std::pair("1,\"a\nb\"\n2,c\n3,\"a\nb\"\n", ElementsAre("a b", "c")),
        std::pair("1,\"a\r\nb\"\r\n2,c\r\n3,c\r\n", ElementsAre("a b", "c")),
        std::pair("1,\"a \"\"x\"\"\nb\"\n2,c\n3,c\n", ElementsAre("a \"x\" b", "c"))}) {
    const auto dataset = load_csv(text);
    ASSERT_LOADS(dataset) << text;
    EXPECT_THAT(dataset->class_names, classes);
    EXPECT_EQ(dataset->train.num_examples, 2u);
  }
  // Lines are counted where they are, and a quote without its end names its own.
  expect_input_error(load_csv("1,\"a\nb\"\nx,c\n2,\"a\nb\"\n"), {"table.csv:3", "column c0"});
  expect_input_error(load_csv("1,a\n2,\"b\n3,c\n"), {"table.csv:2", "quote", "without its end"});
}

TEST(TableFields, ThatAreVeryLongAreCutInMessages) {
  const std::string name(5'000'000, 'n');
  for (const std::string& text :
       {name + "," + name + ",class\n1,2,a\n3,4,b\n",  // the name twice
        name + ",class\n1,a\nx,b\n",                   // a field of another kind below it
        "1,a\n" + name + ",b\n2,a\n", "1,a\n2,b," + name + "\n", "x,1\ny," + name + "\nz,2.5\n?,2\n"}) {
    const auto dataset = load_csv(text);
    ASSERT_FALSE(dataset.ok());
    EXPECT_LT(dataset.error().message.size(), 10'000u);
  }
  expect_input_error(load_csv("1,a\n2,b\n", {{"label", name}}),
                     {"label", "no column 'nnn", "(5000000 bytes)"});
}

// Columns cost what they are: with the square of their number this takes minutes.
TEST(TableColumns, MayBeMany) {
  std::string header, row, attributes;
  for (int i = 0; i < 200'000; ++i) {
    header += fmt::format("x{},", i);
    row += "1,";
    attributes += fmt::format("@attribute x{} numeric\n", i);
  }
  const auto dataset = load_csv(fmt::format("{}class\n{}a\n{}b\n", header, row, row));
  ASSERT_LOADS(dataset);
  EXPECT_EQ(dataset->column_names.size(), 200'000u);
  const TemporaryFolder folder;
  const auto arff =
      load("arff", {{"path", folder.write("a.arff", fmt::format("{}@attribute class {{a, b}}\n@data\n"
                                                                "{}a\n{}b\n",
                                                                attributes, row, row))}});
  ASSERT_LOADS(arff);
  EXPECT_EQ(arff->column_names.size(), 200'000u);
}

TEST(TableArff, SparseRowsLeaveOutZerosAndFirstNames) {
  const TemporaryFolder folder;
  const auto dataset = load(
      "arff", {{"path", folder.write("a.arff",
                                     "@relation r\n@attribute x numeric\n@attribute s {round, 'not round'}\n"
                                     "@attribute y numeric\n@attribute class {a, b}\n@data\n"
                                     "{0 5, 1 'not round', 3 b}\n% a remark\n{2 -1.5}\n{}\n{0 ?, 3 b}\n")},
               {"test", "1"}});
  ASSERT_LOADS(dataset);
  EXPECT_THAT(dataset->train.values, ElementsAre(5, 1, 0, 0, 0, -1.5, 0, 0, 0));
  EXPECT_THAT(dataset->train.labels, ElementsAre(1, 0, 0));
  EXPECT_TRUE(std::isnan(dataset->test.values[0]));
}

TEST(TableLibsvm, IndicesMayBeginAtZeroAndRowsMayHaveQueries) {
  const TemporaryFolder folder;
  const auto dataset = load("libsvm", {{"path", folder.write("a.svm", "1 qid:1 0:5 2:7\n-1 qid:1 1:3\n")},
                                       {"test_path", folder.write("b.svm", "1 qid:2 1:4\n")}});
  ASSERT_LOADS(dataset);
  EXPECT_THAT(dataset->column_names, ElementsAre("0", "1", "2"));
  EXPECT_THAT(dataset->train.values, ElementsAre(5, 0, 7, 0, 3, 0));
  EXPECT_THAT(dataset->test.values, ElementsAre(0, 4, 0));
  EXPECT_THAT(dataset->warnings, Contains(HasSubstr("qid")));
}

TEST(TableFiles, OfOtherKindsAreNamed) {
  using namespace std::string_view_literals;
  for (const auto& [text, words] : {std::pair("\xff\xfe"
                                              "1\0,\0a\0"sv,
                                              "text in UTF-16"),
                                    {"PK\x03\x04..."sv, "workbook"},
                                    {"\x1f\x8b\x08..."sv, "gzip, whose name must end with .gz"},
                                    {"<!DOCTYPE html>\n<p>"sv, "a page of the web"},
                                    {"1,a\r2,b\r3,a\r"sv, "a carriage return alone"},
                                    {"BZh91AY"sv, "bzip2"}})
    expect_input_error(load_csv(text), {"table.csv", words, "expected text in UTF-8"});
  expect_input_error(load_csv("Sales of May\nx;label\n1;a\n2;b\n", {{"delimiter", ";"}}),
                     {"table.csv:2", "'skip_lines'"});
  // The first line of spreadsheets' own, which says how fields are parted.
  EXPECT_EQ(read_as("sep=;\nx;label\n1;a\n2;b\n3;a\n", {{"delimiter", ";"}}), "x 3");
  expect_input_error(load_csv("sep=;\nx;label\n1;a\n2;b\n"), {"table.csv:1", "delimiter: \";\""});
}

TEST(TableLibsvm, FilesThatCountFromZeroAndFromOneAreTold) {
  const TemporaryFolder folder;
  const std::string zero = folder.write("zero.svm", "1 0:5 1:7\n-1 1:3\n"),
                    one = folder.write("one.svm", "1 1:5 2:7\n-1 2:3\n");
  for (const auto& [train, test, is_told] :
       {std::tuple(zero, one, true), {one, zero, true}, {zero, zero, false}, {one, one, false}}) {
    const auto dataset = load("libsvm", {{"path", train}, {"test_path", test}});
    ASSERT_LOADS(dataset);
    const bool told = std::ranges::any_of(dataset->warnings, [](const std::string& warning) {
      return warning.find("both are read as counted from 0") != std::string::npos;
    });
    EXPECT_EQ(told, is_told) << train << " " << test;
  }
}

TEST(TableFiles, NamesOfTestsAloneAreMissing) {
  const TemporaryFolder folder;
  const auto dataset = load("csv", {{"path", folder.write("a.csv", "c,label\nbb,x\ndd,y\n")},
                                    {"test_path", folder.write("b.csv", "c,label\naa,x\ndd,y\ncc,x\n")},
                                    {"header", "yes"}});
  ASSERT_LOADS(dataset);
  EXPECT_THAT(dataset->category_names, ElementsAre(ElementsAre("bb", "dd")));
  EXPECT_THAT(dataset->train.values, ElementsAre(0, 1));
  EXPECT_TRUE(std::isnan(dataset->test.values[0]) && std::isnan(dataset->test.values[2]));
  EXPECT_EQ(dataset->test.values[1], 1);
  EXPECT_THAT(dataset->warnings,
              Contains(HasSubstr("column c: 2 values that the training file does not have are taken as "
                                 "missing: aa, cc")));
}

TEST(TableFiles, OfTestsHaveAHeaderInAnyLetters) {
  const TemporaryFolder folder;
  const std::string train = folder.write("a.csv", "class,cap,odor\ne,x,a\np,b,f\ne,x,l\np,f,f\n");
  for (const char* header : {"Class,Cap,Odor", "CLASS,cap,Odor"})
    expect_input_error(
        load("csv", {{"path", train},
                     {"label", "class"},
                     {"test_path", folder.write("b.csv", fmt::format("{}\ne,x,a\np,b,f\n", header))}}),
        {"b.csv", "no column '", "found " + std::string(header).substr(0, 5)});
}

TEST(TableFiles, OfTestsHaveTheColumnsOfTheTrainingFileInAnyOrder) {
  const TemporaryFolder folder;
  const std::string train = folder.write("a.csv", "colour,x,label\nred,1,a\nblue,2,b\n");
  for (const char* test : {"x,label,colour\n3,a,red\n", "label,id,colour,x\na,77,red,3\n", "red,3,a\n"}) {
    const auto dataset =
        load("csv", {{"path", train}, {"test_path", folder.write("b.csv", test)}, {"label", "label"}});
    ASSERT_LOADS(dataset) << test;
    EXPECT_THAT(dataset->test.values, ElementsAre(1, 3)) << test;
    EXPECT_THAT(dataset->test.labels, ElementsAre(0)) << test;
  }
  expect_input_error(
      load("csv",
           {{"path", train}, {"test_path", folder.write("c.csv", "x,label\n3,a\n")}, {"label", "label"}}),
      {"c.csv", "no column 'colour'", "x, label"});
}

}  // namespace
}  // namespace mash
