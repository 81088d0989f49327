// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/heuristic/page.hpp"

#include <algorithm>
#include <iterator>

#include "framework/render/wording.hpp"
#include "framework/reports/heuristic/feature_cards.hpp"
#include "framework/reports/heuristic/sections.hpp"

namespace mash {
namespace {

Html lead(const HeuristicReport& report) {
  const HeuristicOffer& offer = report.offer;
  const std::string settings = offer.settings.empty() ? "" : fmt::format(" ({})", offer.settings);
  return markup(
      "Version {}{} on {}, offered beside {}, judged on {} of {} training pictures, which were held out",
      offer.version, settings, offer.dataset, counted(offer.pool.size(), "other family", "other families"),
      offer.pictures.num_held_out, offer.pictures.num_train);
}

page::Piece meaning(const HeuristicReport& report) {
  const Html items[] = {
      markup(
          "The gain is what {} rounds with it remove of the log-loss more than {} rounds without it, after "
          "{} rounds of the pool alone. The log-loss is the mean of −ln p of the true class: it sees how "
          "sure an answer is, not only whether it is right.",
          report.offer.rounds, report.offer.rounds, report.offer.base_rounds),
      markup(
          "In each round the best of a few of its features meets the best of a few of the pool's, the same "
          "number of times however many features it has: that answers what it adds if it is offered fairly."),
      markup(
          "Intervals of the gain count seeds, pictures, and that they are looked at several times. They hold "
          "for pictures like these: another data set may say otherwise."),
      markup("Gains are beside this pool: with other families beside it, the same heuristic gains something "
             "else."),
      markup("Parts, of classes, pairs of classes, slices and pictures, add up to the gain. What is called "
             "beyond chance is so after a correction for all parts of its kind."),
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

// Sections on what it changes: from the verdict to the looks. The first two where no gain may be told.
Result<std::vector<page::Section>> sections_of_gain(const HeuristicReport& report, const Dataset& dataset) {
  using namespace sections;
  std::vector<page::Section> contents{
      explained("verdict", "Verdict",
                "What it adds to the pool, and what to do next. A square is a gain, its line the interval in "
                "which the true one lies; right of 0 is better.",
                verdict(report), false),
      explained("figures", "Key figures",
                "The pool: the families that it was offered beside. A duel: the best of its features against "
                "the best of theirs, once in each round.",
                key_figures(report), false)};
  if (report.offer.figures.leaves_nothing()) return contents;
  MASH_ASSIGN(const page::Piece pictures, changed_pictures(report, dataset));
  page::Section of_gain[] = {
      explained(
          "classes", "Where: classes",
          "What the pictures of each class have of the gain: they add up to it. The intervals are corrected "
          "for all classes (Holm).",
          class_gains(report), false),
      explained("pictures", "Where: pictures",
                "The held-out pictures that change most, and what most seeds take them for.", pictures,
                false),
      explained("rivals", "Where: classes and rivals",
                "Which class it tells better (plus, blue) or worse (minus, red) from which other one.",
                rival_gains(report)),
      explained("slices", "Where: slices",
                "The held-out pictures cut up into fifths by what they look like, apart from what they show.",
                slice_gains(report)),
      explained(
          "looks", "Looks",
          "The gain after more and more seeds. A test may end early, so that its intervals are wider than "
          "of one look: all of them together miss the truth in at most 5 % of the tests.",
          looks(report))};
  std::ranges::move(of_gain, std::back_inserter(contents));
  return contents;
}

// Sections on what it is: from its features to how it was measured.
Result<std::vector<page::Section>> sections_of_heuristic(const HeuristicReport& report) {
  using namespace sections;
  MASH_ASSIGN(const page::Piece features, feature_cards(report));
  return std::vector<page::Section>{
      explained(
          "features", "Best features",
          "The features that won most rounds. Edge: by how much better than by chance one threshold on "
          "it tells the classes apart, 1 is perfect. The less alike the rows of a histogram, the better; "
          "each row is scaled to its own fullest bin.",
          features),
      explained("health", "Health of the features",
                "Features that are constant, copied or never win cost time and add nothing.",
                dimension_health(report)),
      explained("neighbours", "Neighbours",
                "Families that see the same: the higher the figures, and the further right two branches of "
                "the tree meet, the less is new in the second of them.",
                neighbours(report)),
      explained(
          "cost", "Cost",
          "Each point is a heuristic, better the further up and left; no other is both cheaper and gains "
          "more than one on the stepped line.",
          costs(report)),
      explained("history", "Versions", "Whether it has become better from version to version.",
                versions(report)),
      explained("provenance", "Provenance", "Exactly what was measured, and how to measure it again.",
                provenance(report)),
      explained("meaning", "What the numbers mean", "Six things to keep in mind.", meaning(report))};
}

}  // namespace

Result<page::Piece> heuristic_page(const HeuristicReport& report, const Dataset& dataset) {
  if (report.dataset_fingerprint != dataset.fingerprint)
    return input_error("{} was measured on the data set {} with fingerprint {}, found {} with {}",
                       report.offer.heuristic, report.offer.dataset, report.dataset_fingerprint, dataset.name,
                       dataset.fingerprint);
  MASH_ASSIGN(std::vector<page::Section> contents, sections_of_gain(report, dataset));
  MASH_ASSIGN(std::vector<page::Section> rest, sections_of_heuristic(report));
  contents.insert(contents.end(), std::move_iterator(rest.begin()), std::move_iterator(rest.end()));
  return page::page(name_in_words(report.offer), lead(report), contents, report.program_version);
}

}  // namespace mash
