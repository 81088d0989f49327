// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/heuristic_page.hpp"

#include <fmt/ranges.h>

#include "framework/render/wording.hpp"
#include "framework/reports/contribution_sections.hpp"
#include "framework/reports/feature_cards.hpp"
#include "framework/reports/heuristic_sections.hpp"

namespace mash {
namespace {

Html lead(const HeuristicReport& report) {
  const HeuristicTrial& trial = report.trial;
  const std::string settings = trial.settings.empty() ? "" : fmt::format(" ({})", trial.settings);
  return markup("Version {}{} on {} ({} training and {} test examples), beside the pool: {}; {}, seeds {}",
                trial.version, settings, trial.dataset, trial.num_train, trial.num_test,
                counted(trial.contribution.names.size(), "other family", "other families"),
                counted(trial.rounds, "round"), fmt::format("{}", fmt::join(trial.seeds, ", ")));
}

page::Piece meaning(const HeuristicTrial& trial) {
  const Html items[] = {
      markup(
          "Intervals are over seeds of the booster, not over data sets: another data set may say otherwise."),
      markup(
          "Many things are compared here; of twenty comparisons without any difference, about one has p &lt; "
          "0.05 by chance. Only the slices are corrected for that."),
      markup("All models have {}: with more of them, gains may shrink or grow.",
             counted(trial.rounds, "round")),
      markup("Gains are beside this pool: with other families beside it, the same heuristic gains something "
             "else."),
      markup(
          "Permutation importance breaks up what belongs together: it looks at pictures that cannot exist, "
          "and a family whose part others could take over still seems important."),
      markup("A correlation map is linear and of single pixels: a feature that looks at shapes may leave it "
             "empty.")};
  return page::list(items);
}

// A section that begins with how to read it.
page::Section explained(std::string_view id, std::string_view heading, std::string_view explanation,
                        const page::Piece& body, bool is_folded = true) {
  page::Piece all = page::note(explanation);
  all += body;
  return {id, heading, std::move(all), is_folded};
}

// What it changes: from the verdict to the slices.
Result<std::vector<page::Section>> sections_of_gain(const HeuristicReport& report, const Dataset& dataset) {
  using namespace sections;
  MASH_ASSIGN(const page::Piece pictures, changed_pictures(report, dataset));
  MASH_ASSIGN(const page::Piece mistakes,
              mistakes_and_clusters(report.mistakes, report.clusters, report.family_names, dataset));
  return std::vector<page::Section>{
      explained(
          "verdict", "Verdict",
          report.offer
              ? "What it adds to the pool, judged on training pictures that were held out, and what to do "
                "next."
              : "What the figures below say together, and what to try next.",
          verdict_lines(report), false),
      explained("figures", "Key figures",
                "± is half of a 95 % interval over seeds. The pool: the families that it was tried beside.",
                key_figures(report), false),
      explained("gain", "Gain",
                "How far the test error falls because of it: squares are means over seeds, dots single "
                "seeds, lines 95 % intervals; a line that crosses zero may be chance.",
                gains(report), false),
      explained("pictures", "Fixed and broken pictures",
                "Test examples that most seeds get right only with it (fixed) or only without it (broken).",
                pictures, false),
      explained("curves", "Learning curves",
                "The test error after 1, 2, 5, 10, 20, 50, … rounds, lower is better: lines are means over "
                "seeds, bands their 95 % intervals.",
                learning_curves(report)),
      explained("confusion", "Difference of confusions",
                "Which classes are mixed up less (minus, blue) or more (plus, red) because of it.",
                confusion_difference(report)),
      explained(
          "mistakes", "Mistakes that are left",
          "What the first seed's model still gets wrong with it: the surest mistakes first (margins run from "
          "−1, all votes wrong, to 1), then groups of mistakes that come about through the same families.",
          mistakes),
      explained(
          "slices", "Slices",
          "The test side cut up by class and by what pictures look like: where it helps and where it hurts.",
          slice_table(report.slices))};
}

// What it is: from its neighbours to how it was measured.
Result<std::vector<page::Section>> sections_of_heuristic(const HeuristicReport& report) {
  using namespace sections;
  MASH_ASSIGN(const page::Piece features, feature_cards(report));
  return std::vector<page::Section>{
      explained("neighbours", "Neighbours",
                "Families that see the same: the higher the figures, and the further right two branches of "
                "the tree meet, the less is new in the second of them.",
                neighbours(report)),
      explained(
          "use", "Use by the booster",
          "How often the booster was shown its features and took them (a cut: one feature compared with a "
          "threshold), and whether it takes them early or late.",
          booster_use(report)),
      explained(
          "features", "Best features",
          "The features that tell the classes apart best by themselves (edge: by how much better than by "
          "chance, 1 is perfect): the less alike the rows of a histogram, the better; each row is scaled to "
          "its own fullest bin.",
          features),
      explained("health", "Health of the features",
                "Features that are constant, copied or never cut cost time and add nothing.",
                dimension_health(report)),
      explained(
          "robustness", "Robustness",
          "The test error on changed pictures, with and without it, of the first seed's models: the flatter "
          "its line, the better.",
          robustness_charts(report)),
      explained(
          "cost", "Cost and use",
          "Each point is a family, better the further up and left; no other is both cheaper and of more use "
          "than one on the stepped line. The margin is the lead of the right class in the votes: a family's "
          "share "
          "of it is what it contributes to being sure.",
          cost_front("cost-chart", report.costs)),
      explained(
          "credit", "Credit",
          "How much of the result is owed to it, in points of test error and as a share of the margin (the "
          "lead of the right class in the votes).",
          credit(report)),
      explained("history", "Earlier measurements", "Whether it has become better from version to version.",
                past_trials_table(report)),
      explained("provenance", "Provenance", "Exactly what was measured, and how to measure it again.",
                provenance(report)),
      explained("meaning", "What the numbers do not mean", "Six things to keep in mind.",
                meaning(report.trial))};
}

}  // namespace

Result<page::Piece> heuristic_page(const HeuristicReport& report, const Dataset& dataset) {
  if (report.dataset_fingerprint != dataset.fingerprint)
    return input_error("{} was measured on the data set {} with fingerprint {}, found {} with {}",
                       report.trial.heuristic, report.trial.dataset, report.dataset_fingerprint, dataset.name,
                       dataset.fingerprint);
  MASH_ASSIGN(std::vector<page::Section> contents, sections_of_gain(report, dataset));
  MASH_ASSIGN(std::vector<page::Section> rest, sections_of_heuristic(report));
  contents.insert(contents.end(), std::move_iterator(rest.begin()), std::move_iterator(rest.end()));
  return page::page(report.trial.heuristic, lead(report), contents, report.program_version);
}

}  // namespace mash
