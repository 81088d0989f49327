// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/structure/cpp_text.hpp"
#include "tests/structure/source_tree.hpp"

namespace mash::testing {
namespace {

// Headers that declare what several files of their folder define, and why.
const std::map<std::string, std::string> kLists{
    {"framework/cli/dataset.hpp",
     "a list, a line for every subcommand of `mash dataset` in a file of its own"},
    {"framework/cli/heuristic.hpp", "a list, a line for every subcommand of `mash heuristic`"},
    {"framework/cli/options.hpp", "a list, a line for every subcommand"},
};

struct Definition {
  std::string file, name;
};

bool is_hidden(const Declaration& declaration) {
  for (const std::string& scope : declaration.scopes)
    if (scope.empty() || scope.find("HWY_NAMESPACE") != std::string::npos) return true;
  return declaration.is_static;
}

// Names that a source defines for other files: free functions and classes.
std::vector<std::string> exported(const std::string& text) {
  std::vector<std::string> names;
  for (const Declaration& declaration : declarations_of(text)) {
    const bool is_of_a_class = declaration.is_member || declaration.name.find("::") != std::string::npos;
    // Others call these two, by names of their own.
    const bool is_entry = declaration.name == "main" || declaration.name == "PYBIND11_MODULE";
    if (declaration.has_body && !is_of_a_class && !is_hidden(declaration) && !is_entry)
      names.push_back(declaration.name);
  }
  return names;
}

std::set<std::string> declared(const std::filesystem::path& header) {
  std::set<std::string> names;
  if (!std::filesystem::exists(header)) return names;
  for (const Declaration& declaration : declarations_of(text_of(header))) names.insert(declaration.name);
  return names;
}

// Definitions that the header of the file's name does not declare.
std::vector<Definition> strays() {
  std::vector<Definition> found;
  for (const auto& path : sources(kProgramTrees)) {
    if (path.extension() != ".cpp") continue;
    auto header = path;
    const auto own = declared(header.replace_extension(".hpp"));
    for (const std::string& name : exported(text_of(path)))
      if (!own.contains(name) && !name.starts_with("__"))  // such are declared by the compiler's libraries
        found.push_back({name_in_tree(path), name});
  }
  return found;
}

TEST(Declared, WhatAFileDefinesIsInTheHeaderOfItsName) {
  std::set<std::string> needed;
  for (const auto& [file, name] : strays()) {
    std::string list;
    for (const auto& [header, reason] : kLists) {
      const std::filesystem::path path = header;
      if (path.parent_path() == std::filesystem::path(file).parent_path() &&
          declared(kSource / path).contains(name))
        list = header;
    }
    if (list.empty())
      ADD_FAILURE() << file << " defines " << name << ", which the header of its name does not declare";
    needed.insert(list);
  }
  for (const auto& [header, reason] : kLists)
    EXPECT_TRUE(needed.contains(header)) << header << " is a list no longer: " << reason;
}

// Sources of a folder are compiled together (mash_unite): there a call could find the function of another
// one, which suits its arguments better, and nobody would be told.
TEST(Declared, WhatIsHiddenHasANameOfItsOwnInItsFolder) {
  struct Places {
    std::set<std::string> hidden, all;  // sources
  };
  std::map<std::string, std::map<std::string, Places>> places;  // by folder and name
  for (const auto& path : sources({"framework", "classifiers", "server", "tests"})) {
    const std::string text = text_of(path), file = path.filename().string();
    const bool is_united = path.extension() == ".cpp" && file != "main.cpp" &&
                           text.find("hwy/foreach_target.h") == std::string::npos;
    const bool is_test = file.ends_with("_test.cpp");
    if (!is_united || (name_in_tree(path).starts_with("tests/") && !is_test)) continue;
    auto& names = places[name_in_tree(path.parent_path())];
    for (const Declaration& declaration : declarations_of(text))
      if (declaration.has_body && !declaration.is_member && is_hidden(declaration) &&
          !declaration.name.starts_with("TEST")) {
        names[declaration.name].hidden.insert(file);
        names[declaration.name].all.insert(file);
      }
    for (const std::string& name : exported(text)) names[name].all.insert(file);
  }
  std::size_t num_names = 0;
  for (const auto& [folder, names] : places)
    for (const auto& [name, in] : names) {
      ++num_names;
      if (folder.ends_with("first_versions")) continue;  // each is built with a project of its own
      EXPECT_TRUE(in.hidden.empty() || in.all.size() == 1)
          << folder << ": " << name << " is in " << ::testing::PrintToString(in.all);
    }
  EXPECT_GT(num_names, 1000u) << "the test looks in the wrong place";
}

TEST(Declared, LooksAtFreeFunctionsAndClassesThatOthersSee) {
  EXPECT_THAT(exported("namespace mash {\n"
                       "namespace {\nvoid hidden() {}\nstruct Hidden {};\n}\n"
                       "static void own() {}\n"
                       "namespace HWY_NAMESPACE {\nvoid kernel() {}\n}\n"
                       "namespace inner {\nvoid seen() {}\n}\n"
                       "struct Class::Part { void f() {} };\n"
                       "void Class::member() {}\n"
                       "class Other { void f() {} };\n"
                       "int declared_only();\n"
                       "}\n"
                       "int main() {}\n"),
              ::testing::ElementsAre("seen", "Other"));
}

}  // namespace
}  // namespace mash::testing
