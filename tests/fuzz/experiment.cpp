// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/experiment/experiment.hpp"

#include "framework/operations/experiment/recipes.hpp"
#include "tests/fuzz/target.hpp"

namespace mash::fuzz {

// A first line that begins with --set replaces a setting of the experiment that follows.
bool take(std::string_view input) {
  std::vector<std::string> overrides;
  constexpr std::string_view kSet = "--set ";
  if (input.starts_with(kSet)) {
    const std::size_t end = std::min(input.size(), input.find('\n'));
    overrides.emplace_back(input.substr(kSet.size(), end - kSet.size()));
    input.remove_prefix(end);
  }
  const auto experiment = parse_experiment(std::string(input), "e.yaml", {overrides});
  if (!is_taken(experiment)) return false;
  const std::string yaml = to_yaml(*experiment);
  const auto again = parse_experiment(yaml, "again.yaml", {});
  MASH_PROMISE(again.ok());
  MASH_PROMISE(to_yaml(*again) == yaml);
  return true;
}

std::vector<std::string> seeds() {
  std::vector<std::string> texts{"--set sampler={name: mas.1q, budget: 5}\ndataset: digits\n",
                                 "--set seed=7\ndataset: {name: csv, path: a.csv, ignore: [a, b]}\n"
                                 "heuristics: [{id: hog, cell: [4, 8]}, lbp]\nbooster: adaboost.mh\nweak: "
                                 "{name: tree, leaves: 8}\nsampler: laminating\nseed: 3\nruns: 2\n",
                                 "--set dataset.path=a b.csv\ndataset: {name: csv, delimiter: \"\\t\"}\n",
                                 "--set booster.name=other\ndataset: &d {name: digits}\nsampler: *d\n"};
  for (const Recipe& recipe : recipes()) texts.emplace_back(recipe.text);
  return texts;
}

}  // namespace mash::fuzz
