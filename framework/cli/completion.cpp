// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/completion.hpp"

#include <algorithm>
#include <array>

#include "framework/cli/completion_scripts.hpp"
#include "framework/cli/options.hpp"
#include "framework/commandline/usage.hpp"
#include "framework/dataset/imported.hpp"
#include "framework/dataset/perturbation.hpp"
#include "framework/dataset/readers/formats.hpp"
#include "framework/operations/experiment/keys.hpp"
#include "framework/operations/experiment/recipes.hpp"
#include "framework/operations/workshop/heuristics.hpp"
#include "framework/reproductions/reproduce.hpp"

namespace mash {
namespace {

using Words = std::vector<Completions::Word>;

// The parts of a text between marks, without blanks around them.
std::vector<std::string_view> parts(std::string_view text, char mark) {
  std::vector<std::string_view> found;
  while (!text.empty()) {
    const std::string_view all = text.substr(0, text.find(mark));
    const auto first = all.find_first_not_of(' ');
    if (first != std::string_view::npos)
      found.push_back(all.substr(first, all.find_last_not_of(' ') + 1 - first));
    text.remove_prefix(std::min(text.size(), all.size() + 1));
  }
  return found;
}

bool is_literal(std::string_view word) { return !word.empty() && 'a' <= word[0] && word[0] <= 'z'; }

template <class Rows>
void add_rows(const Rows& rows, Words& words) {
  for (const auto& row : rows) words.push_back({std::string(row.name), std::string(row.summary)});
}

void add_recipes(Words& words) {
  for (const Recipe& recipe : recipes())
    words.push_back({std::string(recipe.name), "comes with the program"});
}

void add_heuristics(Words& words) {
  for (const std::string& name : names_of_found_plugins()) words.push_back({name, "heuristic"});
}

// "sampler.budget=", and "sampler.arms=family" for what may stand there.
void add_keys(const ExperimentPart& part, Words& words) {
  for (const ExperimentKey& key : part.keys) {
    const std::string before = fmt::format("{}.{}=", part.section, key.takes.key);
    words.push_back({before, ""});
    for (const std::string& value : literal_values(key.takes))
      if (is_literal(value)) words.push_back({before + value, ""});
  }
}

void complete_dataset_settings(Words& words) {
  for (const ExperimentPart& part : experiment_parts())
    if (part.section == "dataset") add_keys(part, words);
}

// The keys of an experiment with '=', and what may stand behind it.
void complete_experiment_settings(Words& words) {
  for (const char* key : {"dataset.name=", "booster.name=", "weak.name=", "sampler.name=", "heuristics=",
                          "seed=", "runs=", "isolation=", "patience="})
    words.push_back({key, ""});
  for (const char* isolation : {"none", "process", "box"})
    words.push_back({fmt::format("isolation={}", isolation), ""});
  for (const ExperimentPart& part : experiment_parts()) {
    words.push_back({fmt::format("{}.name={}", part.section, part.name), std::string(part.summary)});
    add_keys(part, words);
  }
}

void add_samplers(Words& words) {
  for (const ExperimentPart& part : experiment_parts())
    if (part.section == "sampler") words.push_back({std::string(part.name), std::string(part.summary)});
}

void add_perturbations(Words& words) {
  for (const PerturbationInfo& info : perturbations())
    words.push_back({fmt::format("{}=", info.name), std::string(info.unit)});
}

void add_datasets(Words& words) {
  add_rows(dataset_formats(), words);
  for (const std::string& name : imported_names()) words.push_back({name, "imported"});
}

void add_shells(Words& words) { add_rows(completion_scripts(), words); }

// A kind of words, named by the capitals in the type of an option or argument.
struct Kind {
  std::string_view name;
  void (*add)(Words& words);
  Completions::Files files = Completions::Files::kNone;
};
constexpr auto kFiles = Completions::Files::kFiles;
constexpr std::array kKinds{
    Kind{"ID", add_heuristics},
    Kind{"HEURISTIC", add_heuristics},
    Kind{"EXPERIMENT", add_recipes, kFiles},
    Kind{"DATASET", add_datasets},
    Kind{"SAMPLER", add_samplers},
    Kind{"TABLE", [](Words& words) { add_rows(reproducible(), words); }},
    Kind{"SHELL", add_shells},
    Kind{"KEY=VALUE", complete_experiment_settings},
    Kind{"DATASET.KEY=VALUE", complete_dataset_settings},
    Kind{"KIND=AMOUNT", add_perturbations},
    Kind{"IMAGES", nullptr, kFiles},
    Kind{"MODEL", nullptr, kFiles},
    Kind{"PICTURES", nullptr, kFiles},
    Kind{"WHAT", nullptr, kFiles},
    Kind{"DIR", nullptr, Completions::Files::kFolders},
    Kind{"FILE", nullptr, kFiles},
    Kind{"FILE.cpp", nullptr, kFiles},
    Kind{"FILE.so", nullptr, kFiles},
    Kind{"FILE.npy", nullptr, kFiles},
    Kind{"PATH", nullptr, kFiles},
};

// Values of an option or argument. `before` is kept in front of each word: "--isolation=".
void add_values(const CLI::Option& option, std::string_view before, Completions& completions) {
  Words words;
  // An argument whose name says what it is has no type.
  const std::string type = option.get_type_name().empty() ? option.get_name() : option.get_type_name();
  for (const std::string_view part : parts(std::string_view(type).substr(0, type.find(':')), '|')) {
    if (is_literal(part)) words.push_back({std::string(part), ""});
    const auto kind =
        std::find_if(kKinds.begin(), kKinds.end(), [&](const Kind& row) { return row.name == part; });
    if (kind == kKinds.end()) continue;
    if (kind->add) kind->add(words);
    if (kind->files != Completions::Files::kNone && completions.files != kFiles)
      completions.files = kind->files;
  }
  for (Completions::Word& word : words)
    completions.words.push_back({std::string(before) + word.text, std::move(word.help)});
}

bool takes_value(const CLI::Option& option) { return option.get_expected_max() > 0; }

// A line of the help.
std::string first_sentence(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  std::replace(text.begin(), text.end(), '\t', ' ');
  return text;
}

// How far a command line has come before its last word.
struct Cursor {
  const CLI::App* app;
  const CLI::Option* wants = nullptr;  // the option whose value comes next
  std::size_t num_arguments = 0;       // that are no options
  bool names_commands = false;         // of mash help: its arguments are commands

  void step(const std::string& word) {
    if (wants) {
      wants = nullptr;
      return;
    }
    if (word.starts_with('-') && word.size() > 1) {
      const CLI::Option* option = app->get_option_no_throw(word.substr(0, word.find('=')));
      if (option && takes_value(*option) && word.find('=') == std::string::npos) wants = option;
      return;
    }
    const std::vector<std::string> commands = visible_commands(*app);
    if (std::find(commands.begin(), commands.end(), word) == commands.end()) {
      ++num_arguments;
      return;
    }
    if (app->get_parent() == nullptr && word == "help" && !names_commands)
      names_commands = true;
    else
      app = app->get_subcommand(word);
  }
};

void add_completed_options(const CLI::App& app, Completions& completions) {
  for (const std::string& name : visible_options(app))
    completions.words.push_back({name, first_sentence(app.get_option_no_throw(name)->get_description())});
}

void add_argument(const Cursor& cursor, Completions& completions) {
  for (const std::string& name : visible_commands(*cursor.app))
    completions.words.push_back({name, first_sentence(cursor.app->get_subcommand(name)->get_description())});
  if (cursor.names_commands) return;
  std::size_t place = 0;
  for (const CLI::Option* argument : arguments_of(*cursor.app)) {
    place += std::size_t(argument->get_items_expected_max());
    if (cursor.num_arguments >= place) continue;
    add_values(*argument, "", completions);
    return;
  }
}

}  // namespace

Completions complete(const CLI::App& program, const std::vector<std::string>& words) {
  Cursor cursor{&program};
  for (std::size_t i = 0; i + 1 < words.size(); ++i) cursor.step(words[i]);
  const std::string current = words.empty() ? "" : words.back();
  Completions completions;
  const auto equals = current.find('=');
  if (cursor.wants) {
    add_values(*cursor.wants, "", completions);
  } else if (current.starts_with("--") && equals != std::string::npos) {
    if (const CLI::Option* option = cursor.app->get_option_no_throw(current.substr(0, equals)))
      add_values(*option, current.substr(0, equals + 1), completions);
  } else if (current.starts_with('-')) {
    add_completed_options(*cursor.app, completions);
  } else {
    add_argument(cursor, completions);
  }
  auto& found = completions.words;
  std::erase_if(found, [&](const auto& word) {
    // Keys first: what may stand behind a '=' comes when it is there.
    const auto next_equals = word.text.find('=', current.size());
    const bool is_beyond = next_equals != std::string::npos && next_equals + 1 < word.text.size();
    return !word.text.starts_with(current) || is_beyond || (word.text == current && current.ends_with('='));
  });
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.text < b.text; });
  found.erase(
      std::unique(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.text == b.text; }),
      found.end());
  return completions;
}

std::string completion_lines(const Completions& completions) {
  std::string lines;
  for (const Completions::Word& word : completions.words)
    lines += fmt::format("{}\t{}\n", word.text, word.help);
  if (completions.files == Completions::Files::kFiles) lines += ":files\n";
  if (completions.files == Completions::Files::kFolders) lines += ":folders\n";
  return lines;
}

Subcommand add_completion(CLI::App& program) {
  const auto shell = std::make_shared<std::string>();
  CLI::App* app = program.add_subcommand(
      "completion",
      "Print the script by which a shell completes commands, options and names when Tab is pressed");
  std::vector<std::string_view> shells;
  for (const CompletionScript& script : completion_scripts()) shells.push_back(script.name);
  takes_one_of(app->add_option("SHELL", *shell, "Which shell")->required(), shells);
  app->footer(
      "Examples:\n  mash completion bash > ~/.local/share/bash-completion/completions/mash\n"
      "  mash completion zsh > ~/.zfunc/_mash\n"
      "  mash completion fish > ~/.config/fish/completions/mash.fish\n"
      "An installed package has done this already. For zsh, ~/.zshrc needs 'fpath+=~/.zfunc' before "
      "compinit.");
  return {app, [shell]() -> Status {
            for (const CompletionScript& script : completion_scripts())
              if (script.name == *shell) fmt::print("{}", script.text);
            return Done{};
          }};
}

}  // namespace mash
