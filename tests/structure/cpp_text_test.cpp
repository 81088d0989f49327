// SPDX-License-Identifier: Apache-2.0
#include "tests/structure/cpp_text.hpp"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace mash::testing {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> names(const std::vector<Declaration>& declarations) {
  std::vector<std::string> list;
  for (const Declaration& declaration : declarations) list.push_back(declaration.name);
  return list;
}

Declaration only(const char* text) {
  const auto declarations = declarations_of(text);
  EXPECT_EQ(declarations.size(), 1u) << text << ::testing::PrintToString(names(declarations));
  return declarations.empty() ? Declaration() : declarations[0];
}

TEST(CppText, FunctionWithItsLinesAndParameters) {
  const auto declarations = declarations_of(
      "// A comment.\n"
      "\n"
      "std::map<int, std::pair<int, int>> make(const std::map<int, int>& a, int b = f(1, 2),\n"
      "                                        std::function<void(int, int)> c = {}) {\n"
      "  if (a) { return {}; }\n"
      "}\n"
      "int after();\n");
  ASSERT_THAT(names(declarations), ElementsAre("make", "after"));
  EXPECT_EQ(declarations[0].first_line, 3u);
  EXPECT_EQ(declarations[0].last_line, 6u);
  EXPECT_EQ(declarations[0].num_lines(), 4u);
  EXPECT_EQ(declarations[0].num_parameters, 3u);
  EXPECT_TRUE(declarations[0].has_body);
  EXPECT_FALSE(declarations[1].has_body);
  EXPECT_EQ(declarations[1].num_parameters, 0u);
}

TEST(CppText, NumbersOfParameters) {
  EXPECT_EQ(only("void f();").num_parameters, 0u);
  EXPECT_EQ(only("void f(void);").num_parameters, 0u);
  EXPECT_EQ(only("void f(int (*call)(int, int), double x);").num_parameters, 2u);
  EXPECT_EQ(only("void f(int a, int b, int c, int d, int e, int f, int g) {}").num_parameters, 7u);
  EXPECT_EQ(only("template <class A, class B> void f(A a, std::array<B, 3> b) {}").num_parameters, 2u);
  EXPECT_EQ(only("bool operator()(int a, int b) const;").num_parameters, 2u);
}

TEST(CppText, TemplateHeadIsPartOfTheFunction) {
  const Declaration f = only(
      "template <class T, std::enable_if_t<(sizeof(T) > 2), int> = 0>\n"
      "  requires std::integral<T>\n"
      "[[nodiscard]] auto f(T t) noexcept(true) -> std::vector<T> {\n"
      "  return {t};\n"
      "}\n");
  EXPECT_EQ(f.name, "f");
  EXPECT_EQ(f.num_lines(), 5u);
  EXPECT_TRUE(f.has_body);
}

TEST(CppText, LambdasBelongToWhatIsAroundThem) {
  const Declaration f = only(
      "void f() {\n"
      "  const auto g = [&](int a, int b) -> int {\n"
      "    return a < b ? 1 : 2;\n"
      "  };\n"
      "}\n"
      "constexpr auto kLambda = [](int a) { return a; };\n"
      "const std::vector<int> kList{1, 2, 3};\n");
  EXPECT_EQ(f.name, "f");
  EXPECT_EQ(f.last_line, 5u);
}

TEST(CppText, ConstructorsAndTheirInitialisers) {
  const auto declarations = declarations_of(
      "class A final : public B<int>, C {\n"
      " public:\n"
      "  explicit A(int a) : B<int>{a}, c_(a < 2 ? [](int x) { return x; }(a) : 1), d_{} {\n"
      "    run();\n"
      "  }\n"
      "  A(const A&) = delete;\n"
      "  ~A() override;\n"
      "  int size() const { return int(c_.size()); }\n"
      "  bool operator==(const A&) const = default;\n"
      "\n"
      " private:\n"
      "  std::function<void()> c_ = [] {};\n"
      "  int d_ : 3;\n"
      "};\n"
      "A::A(int a, int b)\n"
      "    : A(a + b) {\n"
      "}\n"
      "A::~A() = default;\n"
      "template <>\n"
      "void Other<int>::Inner::call(int) {}\n");
  ASSERT_THAT(names(declarations), ElementsAre("A", "A", "A", "~A", "size", "operator==", "A::A", "A::~A",
                                               "Other<int>::Inner::call"));
  EXPECT_EQ(declarations[0].kind, Declaration::Kind::kClass);
  EXPECT_EQ(declarations[0].num_lines(), 14u);
  EXPECT_EQ(declarations[1].kind, Declaration::Kind::kFunction);
  EXPECT_EQ(declarations[1].num_lines(), 3u);
  EXPECT_THAT(declarations[1].scopes, ElementsAre("A"));
  EXPECT_TRUE(declarations[1].is_member);
  EXPECT_FALSE(declarations[2].has_body);
  EXPECT_EQ(declarations[6].num_lines(), 3u);
  EXPECT_EQ(declarations[6].num_parameters, 2u);
  EXPECT_FALSE(declarations[6].is_member) << "of no class around it";
  EXPECT_FALSE(declarations[7].has_body);
}

TEST(CppText, NamespacesAreScopes) {
  const auto declarations = declarations_of(
      "namespace mash {\n"
      "namespace {\n"
      "struct Hidden { int a; };\n"
      "void hidden() {}\n"
      "}  // namespace\n"
      "static void own() {}\n"
      "inline namespace v1 { void inner() {} }\n"
      "namespace a::b { enum class E : int { kOne, kTwo }; }\n"
      "namespace short_name = a::b;\n"
      "extern \"C\" {\n"
      "void of_c();\n"
      "}\n"
      "}  // namespace mash\n");
  ASSERT_THAT(names(declarations), ElementsAre("Hidden", "hidden", "own", "inner", "E", "of_c"));
  EXPECT_THAT(declarations[0].scopes, ElementsAre("mash", ""));
  EXPECT_THAT(declarations[1].scopes, ElementsAre("mash", ""));
  EXPECT_THAT(declarations[2].scopes, ElementsAre("mash"));
  EXPECT_TRUE(declarations[2].is_static);
  EXPECT_FALSE(declarations[1].is_static);
  EXPECT_THAT(declarations[3].scopes, ElementsAre("mash", "v1"));
  EXPECT_THAT(declarations[4].scopes, ElementsAre("mash", "a::b"));
  EXPECT_THAT(declarations[5].scopes, ElementsAre("mash"));
}

TEST(CppText, WhatLooksLikeCodeInTextsIsNone) {
  const auto declarations = declarations_of(
      "const char* const kText = R\"x(void not_one() { \" )\" })x\";\n"
      "const char* const kOther = \"} void nor_two() { \\\" \";\n"
      "const char kBrace = '{', kQuote = '\\'', kMark = '\"';\n"
      "constexpr int kMany = 10'000;\n"
      "// void three() {\n"
      "/* void four() {\n"
      "*/ void one() {}\n"
      "const auto kWide = u8\"{\";\n"
      "void two() {}\n");
  ASSERT_THAT(names(declarations), ElementsAre("one", "two"));
  EXPECT_EQ(declarations[1].first_line, 9u);
}

TEST(CppText, PreprocessorLinesAreLeftOut) {
  EXPECT_THAT(names(declarations_of("#define OPEN { \\\n"
                                    "  {\n"
                                    "#ifdef A\n"
                                    "void one() {\n"
                                    "#  if B\n"
                                    "#  else\n"
                                    "}}}\n"
                                    "#  endif\n"
                                    "#else\n"
                                    "#if C\n"
                                    "#endif\n"
                                    "void two(int a) {\n"
                                    "#endif\n"
                                    "}\n"
                                    "void three() {}\n")),
              ElementsAre("one", "three"));
}

TEST(CppText, MacrosAreNoFunctionsButTestsAre) {
  const auto declarations = declarations_of(
      "HWY_BEFORE_NAMESPACE();\n"
      "MASH_HEURISTIC(Hog, \"hog\", \"1.0.0\")\n"
      "TEST(Suite, Name) {\n"
      "  EXPECT_TRUE(true);\n"
      "}\n"
      "INSTANTIATE_TEST_SUITE_P(All, Suite, ::testing::Values(1), [](const auto& info) { return info.name; "
      "});\n"
      "HWY_ATTR void two(int a) {}\n");
  std::vector<std::string> with_body;
  for (const Declaration& declaration : declarations)
    if (declaration.has_body) with_body.push_back(declaration.name);
  EXPECT_THAT(with_body, ElementsAre("TEST(Suite, Name)", "two"));
}

TEST(CppText, AFunctionThatIsATryBlockEndsWithItsHandlers) {
  const auto declarations = declarations_of(
      "int f() try {\n"
      "  return 1;\n"
      "} catch (const A& a) {\n"
      "  return 2;\n"
      "} catch (...) {\n"
      "  return 3;\n"
      "}\n"
      "int g() { return 4; }\n");
  ASSERT_THAT(names(declarations), ElementsAre("f", "g"));
  EXPECT_EQ(declarations[0].num_lines(), 7u);
}

TEST(CppText, OperatorsAndConversions) {
  EXPECT_THAT(
      names(declarations_of("bool operator<(const A& a, const A& b);\n"
                            "std::ostream& operator<<(std::ostream& out, const A& a) { return out; }\n"
                            "auto operator<=>(const A&, const A&) = default;\n"
                            "struct B { operator bool() const { return true; } int operator[](int i); };\n"
                            "void* operator new(std::size_t size) { return nullptr; }\n")),
      ElementsAre("operator<", "operator<<", "operator<=>", "B", "operatorbool", "operator[]",
                  "operatornew"));
}

TEST(CppText, ClassesOfEveryKind) {
  const auto declarations = declarations_of(
      "struct alignas(64) Wide { int a = 1; };\n"
      "template <class T>\n"
      "class Boxed<T*> : public Base<T> {};\n"
      "struct A::Inner { void f() {} };\n"
      "union U { int a; float b; } kU{1};\n"
      "class Forward;\n"
      "struct Row { const char* name; } const kRows[] = {{\"a\"}, {\"b\"}};\n"
      "struct Point make_point() { return {}; }\n");
  EXPECT_THAT(names(declarations), ElementsAre("Wide", "Boxed", "A::Inner", "f", "U", "Row", "make_point"));
  EXPECT_EQ(declarations[1].first_line, 2u);
  EXPECT_EQ(declarations[6].kind, Declaration::Kind::kFunction);
}

TEST(CppText, CommentsWhereverTheyStand) {
  const auto comments = comments_of(
      "// one\n"
      "#include <a>  // two\n"
      "#if A\n"
      "#else\n"
      "int f();  /* three\n"
      "four */ int g(); // five\n"
      "#endif\n"
      "const char* const kNone = \"// none\"; const int kMany = 1'000;\n"
      "const char* const kText = R\"(/* none */)\";  // six");
  std::vector<std::string> texts;
  std::vector<std::size_t> lines;
  for (const Comment& comment : comments) {
    texts.emplace_back(comment.text);
    lines.push_back(comment.line);
  }
  EXPECT_THAT(texts, ElementsAre("// one", "// two", "/* three\nfour */", "// five", "// six"));
  EXPECT_THAT(lines, ElementsAre(1, 2, 5, 6, 9));
}

TEST(CppText, BrokenTextEnds) {
  for (const char* text : {"", "void f(", "class {", "} } }", "/*", "\"", "R\"(", "template <", "a::(", "#if",
                           "namespace", "f() :", "operator", "enum", "::(){}", "(", "~("})
    EXPECT_LE(declarations_of(text).size() + comments_of(text).size(), 1u) << text;
}

}  // namespace
}  // namespace mash::testing
