// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tests/structure/checkout.hpp"
#include "tests/structure/cpp_text.hpp"
#include "tests/structure/plain_words.hpp"
#include "tests/structure/source_tree.hpp"

namespace mash::testing {
namespace {

// Files of libraries that comments name.
const std::set<std::string> kOfLibraries{"foreach_target.h"};

// The C and C++ files that a comment names. What stands in quotes is an example: "edges.cpp:12".
std::vector<std::string> files_named(std::string_view comment) {
  const std::string text = std::regex_replace(std::string(comment), std::regex("\"[^\"\n]*\""), "\"\"");
  const std::regex name("[A-Za-z0-9_*/.-]*[A-Za-z0-9_*]\\.(cpp|hpp|h)\\b");
  std::vector<std::string> names;
  for (std::sregex_iterator found(text.begin(), text.end(), name), end; found != end; ++found)
    names.push_back(found->str());
  return names;
}

// The error of a file's name in a comment of the folder; "" where nothing is. A name without its folder is
// that of a file beside it, or of the only one in the tree.
std::string wrong_with(const std::string& name, const std::string& folder) {
  const auto found = paths_ending_with(name);
  if (found.empty()) return "there is no such file";
  const bool is_beside = std::find(found.begin(), found.end(), folder + "/" + name) != found.end();
  const bool is_pattern =
      std::filesystem::path(found[0]).filename() != std::filesystem::path(name).filename();
  if (name.find('/') != std::string::npos || is_beside || is_pattern || found.size() == 1) return "";
  return "there are several: " + found[0] + ", " + found[1];
}

// The comments of a file of CMake, Python or a shell, each a line that is nothing else.
std::vector<std::string> hash_comments(const std::filesystem::path& file) {
  std::vector<std::string> comments;
  for (const std::string& line : lines_of(file))
    if (std::regex_search(line, std::regex("^\\s*#"))) comments.push_back(line);
  return comments;
}

struct Paragraph {
  std::string text;
  std::size_t line = 0;  // its first, from 1
};

// The comments of a C or C++ file, lines that follow each other together; each comment behind code is one of
// its own, with the lines below it.
std::vector<Paragraph> paragraphs_of(const std::string& text) {
  std::vector<Paragraph> paragraphs;
  std::size_t last_line = 0;
  for (const Comment& comment : comments_of(text)) {
    const auto at = std::size_t(comment.text.data() - text.data());
    const std::size_t begin = text.rfind('\n', at) + 1;  // npos + 1: the first line
    const bool is_alone = text.find_first_not_of(" \t", begin) == at;
    const bool says_nothing = comment.text == "//" || comment.text.find("SPDX-") != std::string_view::npos;
    if (is_alone && !says_nothing && comment.line == last_line + 1)
      paragraphs.back().text += "\n" + std::string(comment.text);
    else if (!says_nothing)
      paragraphs.push_back({std::string(comment.text), comment.line});
    last_line = says_nothing ? 0 : comment.line;
  }
  return paragraphs;
}

// Whether a comment begins with a word that a noun says better: "What a run left" is "Results of a run".
bool begins_vaguely(const std::string& comment) {
  return std::regex_search(comment, std::regex("^//+<?\\s*(What|Who|Whoever|Of)\\b"));
}

TEST(Comments, UsePlainWords) {
  std::size_t num_paragraphs = 0;
  for (const auto& path : sources(kSourceTrees))
    for (const Paragraph& paragraph : paragraphs_of(text_of(path))) {
      ++num_paragraphs;
      for (const std::string& word : words_to_avoid(paragraph.text))
        ADD_FAILURE() << name_in_tree(path) << ":" << paragraph.line << " says " << word;
    }
  EXPECT_GT(num_paragraphs, 5000u) << "the test looks in the wrong place";
  for (const auto& [folder, files] : files_by_folder())
    for (const std::string& file : files)
      if (file == "CMakeLists.txt" || file.ends_with(".cmake") || file.ends_with(".py") ||
          folder == "script") {
        std::string comments;
        for (const std::string& line : hash_comments(kSource / folder / file)) comments += line + "\n";
        for (const std::string& word : words_to_avoid(comments))
          ADD_FAILURE() << folder << "/" << file << " says " << word;
      }
}

// Messages and pages are read by more people than comments.
TEST(Comments, MessagesUsePlainWordsToo) {
  for (const auto& path : sources({"framework", "classifiers", "server", "sdk", "heuristics"}))
    for (const std::string& word : words_to_avoid(text_of(path)))
      ADD_FAILURE() << name_in_tree(path) << " says " << word;
}

TEST(Comments, BeginWithANoun) {
  for (const auto& path : sources(kSourceTrees))
    for (const Paragraph& paragraph : paragraphs_of(text_of(path)))
      EXPECT_FALSE(begins_vaguely(paragraph.text)) << name_in_tree(path) << ":" << paragraph.line << "\n"
                                                   << paragraph.text;
}

TEST(Comments, AreReadAsParagraphs) {
  using ::testing::ElementsAre;
  const std::string text =
      "// SPDX-License-Identifier: Apache-2.0\n// One,\n  // still\n//\n// Two\nint a;  // three\n"
      "        // and on\nint b;\n// Four\n";
  std::vector<std::string> texts;
  std::vector<std::size_t> lines;
  for (const Paragraph& paragraph : paragraphs_of(text)) {
    texts.push_back(paragraph.text);
    lines.push_back(paragraph.line);
  }
  EXPECT_THAT(texts, ElementsAre("// One,\n// still", "// Two", "// three\n// and on", "// Four"));
  EXPECT_THAT(lines, ElementsAre(2, 5, 6, 9));
  EXPECT_TRUE(begins_vaguely("// What it is.") && begins_vaguely("/// Of all") && begins_vaguely("//Who"));
  EXPECT_FALSE(begins_vaguely("// Whatever") || begins_vaguely("// A run") || begins_vaguely("// Offers"));
}

TEST(Comments, WordsAreFoundOverTheEndsOfLines) {
  EXPECT_THAT(words_to_avoid("// Anew, so\n  // many"),
              ::testing::ElementsAre(::testing::HasSubstr("\"so many\""), ::testing::HasSubstr("\"anew\"")));
  EXPECT_THAT(words_to_avoid("# all but\n# for x"), ::testing::SizeIs(1));
  EXPECT_THAT(words_to_avoid("// manewer, also many, so manyfold, what ever"), ::testing::IsEmpty());
}

TEST(Comments, NameFilesThatAreThere) {
  std::set<std::string> outside;
  std::size_t num_names = 0;
  const auto look = [&](const std::string& file, std::string_view comment, std::size_t line) {
    for (const std::string& name : files_named(comment)) {
      ++num_names;
      if (kOfLibraries.contains(name)) {
        outside.insert(name);
        continue;
      }
      const std::string wrong = wrong_with(name, std::filesystem::path(file).parent_path().string());
      EXPECT_EQ(wrong, "") << file << ":" << line << " names " << name;
    }
  };
  for (const auto& path : sources(kSourceTrees)) {
    const std::string text = text_of(path);
    for (const Comment& comment : comments_of(text)) look(name_in_tree(path), comment.text, comment.line);
  }
  for (const auto& [folder, files] : files_by_folder())
    for (const std::string& file : files)
      if (file == "CMakeLists.txt" || file.ends_with(".cmake"))
        for (const std::string& comment : hash_comments(kSource / folder / file))
          look((std::filesystem::path(folder) / file).string(), comment, 0);
  EXPECT_EQ(outside, kOfLibraries) << "a file that no comment names any longer";
  EXPECT_GT(num_names, 40u) << "the test looks for the wrong words";
}

TEST(Comments, FilesInThemAreFound) {
  using ::testing::ElementsAre;
  EXPECT_THAT(files_named("// As a.hpp and base/b_c.cpp say; c.h. Not \"edges.cpp:12\", .hpp or d.hpps."),
              ElementsAre("a.hpp", "base/b_c.cpp", "c.h"));
  EXPECT_EQ(wrong_with("checkout.hpp", "tests/structure"), "");
  EXPECT_EQ(wrong_with("checkout.hpp", "framework/base"), "");
  EXPECT_EQ(wrong_with("structure/NAME.hpp", "framework/base"), "");
  EXPECT_EQ(wrong_with("no_such.hpp", "framework/base"), "there is no such file");
  EXPECT_EQ(wrong_with("operations/base/no_such.hpp", "framework/base"), "there is no such file");
  EXPECT_EQ(wrong_with("builtin.hpp", "classifiers"), "");
  EXPECT_EQ(wrong_with("builtin.hpp", "framework/base"),
            "there are several: classifiers/builtin.hpp, tests/heuristics/builtin.hpp");
}

}  // namespace
}  // namespace mash::testing
