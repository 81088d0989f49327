// SPDX-License-Identifier: Apache-2.0
#include "framework/base/suggestion.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace mash {
namespace {

constexpr std::size_t kMost = 3;         // suggestions
constexpr std::size_t kMostBytes = 64;   // of a name that is compared; names are shorter
constexpr std::size_t kFewestAlike = 3;  // letters that a name must begin with

// The name of a thing elsewhere, and its name here. A word may have several rows.
struct Synonym {
  std::string_view word, name;
};
constexpr auto kSynonyms = std::to_array<Synonym>({
    // commands
    {"train", "run"},
    {"fit", "run"},
    {"exec", "run"},
    {"execute", "run"},
    {"start", "run"},
    {"start", "serve"},
    {"test", "predict"},
    {"classify", "predict"},
    {"infer", "predict"},
    {"inference", "predict"},
    {"evaluate", "predict"},
    {"eval", "predict"},
    {"apply", "predict"},
    {"ls", "list"},
    {"dir", "list"},
    {"all", "list"},
    {"cat", "show"},
    {"info", "show"},
    {"describe", "show"},
    {"inspect", "show"},
    {"view", "show"},
    {"rm", "prune"},
    {"remove", "prune"},
    {"delete", "prune"},
    {"clean", "prune"},
    {"clear", "prune"},
    {"gc", "prune"},
    {"rank", "leaderboard"},
    {"ranking", "leaderboard"},
    {"scores", "leaderboard"},
    {"diff", "compare"},
    {"cmp", "compare"},
    {"compile", "build"},
    {"make", "build"},
    {"create", "new"},
    {"init", "new"},
    {"scaffold", "new"},
    {"validate", "check"},
    {"verify", "check"},
    {"lint", "check"},
    {"download", "get"},
    {"fetch", "get"},
    {"upload", "submit"},
    {"send", "submit"},
    {"host", "serve"},
    {"status", "doctor"},
    {"sysinfo", "doctor"},
    {"man", "help"},
    {"version", "--version"},
    {"dataset-list", "dataset"},
    {"data", "dataset"},
    {"plugin", "heuristic"},
    {"plugins", "heuristic"},
    {"feature", "heuristic"},
    // options
    {"database", "--db"},
    {"sqlite", "--db"},
    {"jobs", "--threads"},
    {"cores", "--threads"},
    {"cpus", "--threads"},
    {"workers", "--threads"},
    {"silent", "--quiet"},
    {"output", "--out"},
    {"output", "--model"},
    {"output", "--html"},
    {"save", "--model"},
    {"cache", "--store"},
    {"plugins", "--heuristics"},
    {"random-state", "--seed"},
    {"timeout", "--seconds"},
    {"iterations", "--rounds"},
    {"epochs", "--rounds"},
    {"override", "--set"},
    {"param", "--set"},
    {"data", "--dataset"},
    {"author-name", "--author"},
    {"license", "--licence"},
    {"sandbox", "--isolation"},
    {"sandbox", "--box"},
    // keys and names of an experiment
    {"iterations", "rounds"},
    {"epochs", "rounds"},
    {"n-estimators", "rounds"},
    {"trees", "rounds"},
    {"data", "dataset"},
    {"features", "heuristics"},
    {"extractors", "heuristics"},
    {"plugins", "heuristics"},
    {"learner", "weak"},
    {"base-learner", "weak"},
    {"weak-learner", "weak"},
    {"algorithm", "booster"},
    {"boosting", "booster"},
    {"strategy", "sampler"},
    {"random-state", "seed"},
    {"repeats", "runs"},
    {"sandbox", "isolation"},
    {"type", "name"},
    {"folder", "path"},
    {"file", "path"},
    {"directory", "path"},
    {"leafs", "leaves"},
    {"num-leaves", "leaves"},
    {"objective", "loss"},
    {"decision-tree", "tree"},
    {"decision-stump", "stump"},
    {"cart", "tree"},
    {"exhaustive", "full"},
    {"random", "uniform.naive"},
    {"logitboost", "logistic"},
    {"images", "folder"},
    {"pictures", "folder"},
    {"imagefolder", "folder"},
    {"svmlight", "libsvm"},
    {"weka", "arff"},
    {"histogram-of-oriented-gradients", "hog"},
});

// Letters and digits, small.
std::string plain(std::string_view text) {
  std::string letters;
  for (const char c : text) {
    if (c == '-' || c == '_' || c == '.' || c == ' ') continue;
    letters += 'A' <= c && c <= 'Z' ? char(c - 'A' + 'a') : c;
  }
  return letters;
}

using Names = std::vector<std::string_view>;

// The known names that hold.
template <class Holds>
Names those(std::span<const std::string_view> known, Holds holds) {
  Names names;
  for (const std::string_view name : known)
    if (names.size() <= kMost && holds(name) && std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
  return names;
}

Names nearest(const std::string& wanted, std::span<const std::string_view> known) {
  const std::size_t most = std::min<std::size_t>(3, (wanted.size() + 2) / 3);
  std::size_t least = most + 1;
  const auto distance_to = [&](std::string_view name) {
    const std::string letters = plain(name);
    const std::size_t distance = edit_distance(wanted, letters, most);
    // Two letters of two that differ are no misspelling.
    return 2 * distance <= letters.size() ? distance : most + 1;
  };
  for (const std::string_view name : known) least = std::min(least, distance_to(name));
  if (least > most) return {};
  return those(known, [&](std::string_view name) { return distance_to(name) == least; });
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t most) {
  if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) > most) return most + 1;
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(last);
    last.swap(row);
    row[0] = i;
    std::size_t least = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
      least = std::min(least, row[j]);
    }
    // A swap reaches back two rows, so both must be over.
    if (least > most && (i < 2 || *std::min_element(last.begin(), last.end()) > most)) return most + 1;
  }
  return std::min(row[b.size()], most + 1);
}

std::vector<std::string_view> suggestions(std::string_view found, std::span<const std::string_view> known) {
  const std::string wanted = plain(found);
  if (wanted.empty() || found.size() > kMostBytes) return {};
  Names names = those(known, [&](std::string_view name) { return plain(name) == wanted; });
  if (names.empty())
    names = those(known, [&](std::string_view name) {
      return std::any_of(kSynonyms.begin(), kSynonyms.end(),
                         [&](const Synonym& row) { return row.name == name && plain(row.word) == wanted; });
    });
  if (names.empty()) names = nearest(wanted, known);
  if (names.empty())
    names = those(known, [&](std::string_view name) {
      const std::string letters = plain(name);
      return std::min(wanted.size(), letters.size()) >= kFewestAlike &&
             (letters.starts_with(wanted) || wanted.starts_with(letters));
    });
  // More than that is no help.
  if (names.size() > kMost) names.clear();
  return names;
}

std::string did_you_mean(std::string_view found, std::span<const std::string_view> known) {
  const Names names = suggestions(found, known);
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string_view before = i == 0 ? "did you mean " : i + 1 == names.size() ? " or " : ", ";
    text += fmt::format("{}'{}'", before, names[i]);
  }
  return text.empty() ? "" : text + "?";
}

std::string known_names(std::string_view found, std::span<const std::string_view> known) {
  const std::string question = did_you_mean(found, known);
  return fmt::format("{}{}known: {}", question, question.empty() ? "" : " ",
                     known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", ")));
}

}  // namespace mash
