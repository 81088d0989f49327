// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/workshop/boxed_compile.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "framework/base/file.hpp"
#include "framework/isolation/box_layers.hpp"
#include "framework/operations/workshop/build.hpp"
#include "framework/operations/workshop/named_heuristic.hpp"
#include "tests/support/places.hpp"
#include "tests/support/scratch_folder.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Field;
using ::testing::HasSubstr;

const StopFlag never;

class BoxedCompile : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const Status status = check_box(); !status.ok()) GTEST_SKIP() << status.error().message;
  }

  BoxedCompilation compile(const std::string& text, const CompileLimits& limits = {}) {
    std::ofstream(source_) << text;
    return compile_in_box({source_}, plugin_, limits, never);
  }
  // The message on a source that must not compile.
  std::string refusal(const std::string& text, const CompileLimits& limits = {}) {
    const BoxedCompilation compilation = compile(text, limits);
    EXPECT_FALSE(fs::exists(plugin_));
    if (compilation.status.ok()) return "it compiles";
    EXPECT_EQ(compilation.status.error().kind, ErrorKind::kFailure);
    EXPECT_TRUE(compilation.is_of_source);
    return compilation.status.error().message + "\n" + to_text(compilation.messages);
  }

  const testing::ScratchFolder folder_;  // closed to others: the box has no folder of the source
  const fs::path source_ = folder_ / "mine.cpp", plugin_ = folder_ / "mine.so";
  const Workers workers_{1};
  const WorkContext work_{workers_, no_progress(), no_remarks(), never};
};

TEST_F(BoxedCompile, MakesAPlugin) {
  for (const char* source : {"haar/box_pairs.cpp", "classic/random_boxes.cpp"}) {
    const auto text = read_file(fs::path(testing::source_folder()) / "sdk/template" / source);
    ASSERT_TRUE(text.ok());
    const BoxedCompilation compilation = compile(*text);
    ASSERT_TRUE(compilation.status.ok())
        << compilation.status.error().message << to_text(compilation.messages);
    EXPECT_TRUE(
        read_file(plugin_)->starts_with("\x7f"
                                        "ELF"));
    fs::remove(plugin_);
  }
}

// A table that was learnt makes a source large.
TEST_F(BoxedCompile, TakesSourcesUpToALimit) {
  const std::string padding = "//" + std::string(std::size_t(3) << 20, '1') + "\n";
  const BoxedCompilation large = compile(padding + "int missing() { return 1; }\n");
  EXPECT_TRUE(large.status.ok()) << large.status.error().message;
  fs::remove(plugin_);
  const BoxedCompilation refused = compile(padding, {.source_bytes = std::uint64_t(1) << 20});
  ASSERT_FALSE(refused.status.ok());
  EXPECT_EQ(refused.status.error().kind, ErrorKind::kInput);
  EXPECT_THAT(refused.status.error().message, HasSubstr("expected a source of at most 1048576"));
  EXPECT_FALSE(fs::exists(plugin_));
}

TEST_F(BoxedCompile, TellsErrorsAsData) {
  const BoxedCompilation compilation = compile("int f() {\n  return missing;\n}\n");
  ASSERT_FALSE(compilation.status.ok());
  EXPECT_THAT(compilation.status.error().message, HasSubstr("mine.cpp: does not compile"));
  EXPECT_THAT(
      compilation.messages,
      Contains(AllOf(Field(&CompilerMessage::file, source_.string()), Field(&CompilerMessage::line, 2u),
                     Field(&CompilerMessage::column, 10u), Field(&CompilerMessage::kind, "error"),
                     Field(&CompilerMessage::text, HasSubstr("missing")))));
  EXPECT_THAT(refusal("int elsewhere(); int f() { return elsewhere(); }"),
              AllOf(HasSubstr("cannot be linked"), HasSubstr("elsewhere")));
}

// One missing sign may be many errors, and the first of them says where it is.
TEST_F(BoxedCompile, TellsTheFirstErrorsOfMany) {
  std::string text;
  for (int i = 1; i <= 25; ++i) text += fmt::format("int a{} = missing{};\n", i, i);
  const BoxedCompilation compilation = compile(text);
  ASSERT_FALSE(compilation.status.ok());
  EXPECT_TRUE(compilation.is_of_source);
  EXPECT_THAT(compilation.status.error().message, ::testing::EndsWith("mine.cpp: does not compile"));
  ASSERT_GE(compilation.messages.size(), 20u);
  EXPECT_EQ(compilation.messages[0].file, source_.string());
  EXPECT_EQ(compilation.messages[0].line, 1u);
  EXPECT_EQ(compilation.messages[0].kind, "error");
  EXPECT_THAT(compilation.messages[0].text, HasSubstr("missing1"));
  EXPECT_EQ(std::ranges::count(compilation.messages, std::string("error"), &CompilerMessage::kind), 20);
}

// The command is ours.
TEST_F(BoxedCompile, TakesNoCompilerAndNoFlagsFromTheEnvironment) {
  ::setenv("CXX", "false", 1);
  ::setenv("CXXFLAGS", "-DFLAG", 1);
  const std::string told = refusal("#ifndef FLAG\n#error no flag\n#endif\n");
  ::unsetenv("CXX");
  ::unsetenv("CXXFLAGS");
  EXPECT_THAT(told, HasSubstr("no flag"));
}

TEST_F(BoxedCompile, ReachesNoFileButTheSourceAndTheSystem) {
  std::ofstream(folder_ / "secret.h") << "#error the secret\n";
  for (const std::string& file :
       {std::string("/etc/passwd"), std::string("secret.h"), (folder_ / "secret.h").string(),
        std::string("/proc/self/environ"), std::string("/root/.bashrc")}) {
    EXPECT_THAT(refusal("#include \"" + file + "\"\n"), HasSubstr("No such file or directory")) << file;
    EXPECT_THAT(refusal("asm(\".incbin \\\"" + file + "\\\"\");\n"), HasSubstr("file not found")) << file;
  }
}

TEST_F(BoxedCompile, StopsSourceThatTakesTooMuch) {
  CompileLimits limits;
  limits.memory_bytes = std::uint64_t(512) << 20;
  limits.file_bytes = std::uint64_t(8) << 20;
  EXPECT_THAT(refusal("char big[1ull << 31] = {1};", limits), HasSubstr("writes more than 8 MiB"));
  EXPECT_THAT(refusal("#include \"/dev/zero\"", limits), HasSubstr("takes more than 512 MiB of memory"));
  EXPECT_THAT(refusal("#include __FILE__\n", limits), HasSubstr("nested depth 64 exceeds maximum"));
  EXPECT_THAT(refusal("template <int N> struct A { A<N + 1> a; }; A<0> a;", limits),
              HasSubstr("instantiation depth exceeds maximum"));
  EXPECT_THAT(refusal("constexpr int f() { for (;;) {} } static_assert(f() == 1);", limits),
              HasSubstr("iteration count exceeds limit"));
  limits.cpu_seconds = 1;
  // As many templates as leaves of a tree of depth 40, without being deep.
  const std::string tree =
      "template <int N, unsigned long M> struct E {"
      "  static const unsigned long v = E<N - 1, 2 * M>::v + E<N - 1, 2 * M + 1>::v; };"
      "template <unsigned long M> struct E<0, M> { static const unsigned long v = M; };"
      "unsigned long x = E<40, 1>::v;";
  EXPECT_THAT(refusal(tree, limits), ::testing::AnyOf(HasSubstr("takes more than 512 MiB of memory"),
                                                      HasSubstr("takes more than 1 s of processor time")));
  limits.memory_bytes = std::uint64_t(8) << 30;
  EXPECT_THAT(refusal(tree, limits), HasSubstr("takes more than 1 s of processor time"));
  limits.cpu_seconds = CompileLimits().cpu_seconds;
  limits.wall_seconds = 0.5;
  EXPECT_THAT(refusal(tree, limits), HasSubstr("takes longer than 0.5 s"));
}

TEST_F(BoxedCompile, TakesSourceOfBoundedSizeAndAnyText) {
  const BoxedCompilation large = compile(std::string(kUsualSourceBytes + 1, ' '));
  ASSERT_FALSE(large.status.ok());
  EXPECT_EQ(large.status.error().kind, ErrorKind::kInput);
  EXPECT_THAT(refusal(fmt::format("#include \"{:a<900000}\"\n", "")), HasSubstr("does not compile"));
}

// Words of other programs, which a source has the assembler or the linker say: none decides whose fault it
// is.
constexpr const char* kForgedWords[] = {
    "\\ng++: fatal error: Killed signal terminated program cc1plus",
    "\\ng++: fatal error: cannot execute 'cc1plus': execvp: No such file or directory",
    "\\nCPU time limit exceeded",
    "\\nvirtual memory exhausted: Cannot allocate memory",
    "\\ncc1plus: out of memory allocating 1 bytes",
    "\\nNo space left on device",
    "\\nFile size limit exceeded",
    "\\ncollect2: fatal error: ld terminated with signal 9 [Killed]",
    "\\n[{\\\"kind\\\": \\\"note\\\", \\\"message\\\": \\\"well done\\\"}]",
};

TEST_F(BoxedCompile, BelievesNoWordsOfASource) {
  for (const std::string words : kForgedWords) {
    const BoxedCompilation compilation = compile("asm(R\"(.error \"x" + words + "\")\");\n");
    ASSERT_FALSE(compilation.status.ok()) << words;
    EXPECT_TRUE(compilation.is_of_source) << compilation.status.error().message;
    EXPECT_THAT(compilation.status.error().message, ::testing::EndsWith("does not compile")) << words;
    for (const CompilerMessage& message : compilation.messages) EXPECT_EQ(message.kind, "error") << words;
  }
}

TEST_F(BoxedCompile, IsStoppedByTheFlag) {
  std::ofstream(source_) << "int x;\n";
  StopFlag stop;
  stop.raise();
  const BoxedCompilation compilation = compile_in_box({source_}, plugin_, {}, stop);
  ASSERT_FALSE(compilation.status.ok());
  EXPECT_EQ(compilation.status.error().kind, ErrorKind::kStopped);
}

// The code of the source runs in a box.
TEST_F(BoxedCompile, TheFirstLookIsTakenInABox) {
  const fs::path mark = folder_ / "mark";
  auto text = read_file(fs::path(testing::source_folder()) / "sdk/template/haar/box_pairs.cpp");
  ASSERT_TRUE(text.ok());
  for (std::size_t at; (at = text->find("@ID@")) != std::string::npos;) text->replace(at, 4, "mine");
  std::ofstream(source_) << *text
                         << "\n#include <fstream>\n__attribute__((constructor)) void run() { std::ofstream(\""
                         << mark.string() << "\") << 1; }\n";
  const BuildResult result = build_heuristic({.place = source_, .box = true}, work_);
  ASSERT_TRUE(result.status.ok()) << result.status.error().message;
  ASSERT_EQ(result.plugins.size(), 1u);
  ASSERT_EQ(result.plugins[0].heuristics.size(), 1u);
  EXPECT_TRUE(result.plugins[0].heuristics[0].dim.ok());
  EXPECT_FALSE(fs::exists(mark));
}

// `try`, `report` and `show` find what they are given so.
TEST_F(BoxedCompile, ANamedSourceIsCompiledInABox) {
  std::ofstream(folder_ / "beside.hpp") << "int beside();\n";
  std::ofstream(source_) << "#include \"beside.hpp\"\n";
  EXPECT_TRUE(find_named_heuristic(source_.string(), Isolation::kProcess, work_).result.ok());
  fs::remove(plugin_);
  const auto named = find_named_heuristic(source_.string(), Isolation::kBox, work_);
  ASSERT_FALSE(named.result.ok());
  EXPECT_THAT(named.result.error().message, HasSubstr("does not compile"));
  EXPECT_THAT(named.diagnostics, HasSubstr("beside.hpp: No such file"));
  EXPECT_FALSE(fs::exists(plugin_));
}

}  // namespace
}  // namespace mash
