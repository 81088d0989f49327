// SPDX-License-Identifier: Apache-2.0
#include "server/runner/uncovered.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "classifiers/serving/cut_answers.hpp"
#include "framework/analysis/family_subset.hpp"
#include "framework/operations/training/subset_trainer.hpp"
#include "framework/render/gallery.hpp"

namespace mash::server {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint32_t kRounds = 100;
constexpr std::size_t kSeeds = 3, kPicturesOfCluster = 12;

// The trainings of each family alone, one after the other with all seeds; the last is of all families.
std::vector<SubsetJob> jobs_of(std::size_t num_families, std::uint64_t first_seed) {
  std::vector<SubsetJob> jobs;
  for (std::size_t k = 0; k < num_families; ++k)
    for (std::size_t i = 0; i < kSeeds; ++i) jobs.push_back({{k}, first_seed + i, false});
  jobs.push_back({all_but({}, num_families), first_seed, true});
  return jobs;
}

// The class that most of the trainings take a held-out picture for.
std::size_t most_predicted(const std::vector<std::vector<TestRun>>& alone, std::size_t example,
                           std::size_t num_classes) {
  std::vector<std::size_t> votes(num_classes);
  for (const std::vector<TestRun>& of_family : alone)
    for (const TestRun& run : of_family) ++votes[run.predicted[example]];
  return std::size_t(std::ranges::max_element(votes) - votes.begin());
}

page::Piece table_of(const Uncovered& found, const MistakeCluster& cluster) {
  Table table;
  table.columns = {{"example", "training row", Format::kCount},
                   {"label", "true", Format::kText},
                   {"said", "taken for", Format::kText}};
  for (const std::size_t place : cluster.mistakes) {
    const Mistake& mistake = found.pictures[place];
    table.rows.push_back({std::int64_t(mistake.example_idx), found.class_names[mistake.label],
                          found.class_names[mistake.predicted]});
  }
  return page::table(table, "Rows are counted from 0 in the order of the training side.");
}

Result<page::Piece> pictures_of(const Uncovered& found, const MistakeCluster& cluster,
                                const Dataset& dataset) {
  if (dataset.is_table()) return table_of(found, cluster);
  std::vector<GalleryPicture> pictures;
  for (std::size_t i = 0; i < std::min(cluster.mistakes.size(), kPicturesOfCluster); ++i) {
    const Mistake& mistake = found.pictures[cluster.mistakes[i]];
    const std::string &label = found.class_names[mistake.label], &said = found.class_names[mistake.predicted];
    pictures.push_back(
        {mistake.example_idx,
         fmt::format("Training picture {}: true {}, taken for {}", mistake.example_idx, label, said),
         markup("true <b>{}</b>, taken for <b>{}</b>", label, said)});
  }
  return gallery(pictures, {dataset.train, dataset.shape, "training picture"});
}

std::string heading_of(const Uncovered& found, const MistakeCluster& cluster) {
  return fmt::format("{} pictures, {} of them {} taken for {}", cluster.mistakes.size(), cluster.num_pair,
                     found.class_names[cluster.label], found.class_names[cluster.predicted]);
}

Result<page::Piece> pictures_section(const Uncovered& found, const Dataset& dataset) {
  if (found.pictures.empty()) return page::note("Each held-out picture is covered by some heuristic.");
  page::Piece out = page::note(
      "Pictures of a group come about alike: the same heuristics vote for the wrong class. Those in the "
      "middle of a group come first.");
  for (const MistakeCluster& cluster : found.clusters) {
    out += page::heading(heading_of(found, cluster));
    MASH_ASSIGN(const page::Piece shown, pictures_of(found, cluster, dataset));
    out += shown;
  }
  return out;
}

page::Piece how_section(const Uncovered& found) {
  page::Piece out =
      page::paragraph(markup("Each family of the board was trained alone in {} rounds with {} seeds, without "
                             "{} training pictures that "
                             "are held out. Shown are those of them that every family gets wrong with most "
                             "of the seeds. The test side "
                             "has no part in it.",
                             found.rounds, found.num_seeds, found.num_held_out));
  out += page::paragraph(markup("The families: {}.", fmt::format("{}", fmt::join(found.families, ", "))));
  return out;
}

}  // namespace

Result<Uncovered> find_uncovered(Experiment experiment, Workspace& space, const WorkContext& work) {
  experiment.booster.settings.add("rounds", std::to_string(kRounds), "rounds");
  experiment.runs = kSeeds;
  MASH_ASSIGN(SubsetTrainer trainer, SubsetTrainer::make(experiment, space, work, Judges::kHeldOut));
  const Dataset& dataset = *space.dataset;
  const std::size_t num_families = space.features.num_families();
  MASH_ASSIGN(const auto runs, trainer.run(jobs_of(num_families, experiment.seed)));
  std::vector<std::vector<TestRun>> alone(num_families);
  for (std::size_t j = 0; j + 1 < runs.size(); ++j) alone[j / kSeeds].push_back(runs[j].test);
  const StrongClassifier& model = *runs.back().model;
  MASH_ASSIGN(const CutAnswers answers, CutAnswers::make(model, space.features, Side::kTrain));
  const auto shares = example_shares(model, answers, dataset.train.labels, work.workers);

  Uncovered found;
  found.class_names = dataset.class_names;
  found.rounds = kRounds;
  found.num_seeds = kSeeds;
  for (const FamilyInfo& family : space.features.families()) found.families.push_back(family.spec.name);
  const JudgingExamples judges = judging_examples(dataset, Judges::kHeldOut);
  found.num_held_out = judges.held_out.size();
  const std::vector<std::span<const TestRun>> sets(alone.begin(), alone.end());
  for (const std::size_t i : wrong_in_all(sets, judges.labels)) {
    const std::size_t example = judges.held_out[i];
    found.pictures.push_back({example, judges.labels[i], most_predicted(alone, i, dataset.num_classes()),
                              shares[example].margin, shares[example].families});
  }
  std::ranges::stable_sort(found.pictures, {}, &Mistake::margin);
  found.clusters = mistake_clusters(found.pictures, kClustersOfReport);
  return found;
}

Result<page::Piece> uncovered_page(const Uncovered& found, const Dataset& dataset, std::string_view board) {
  MASH_ASSIGN(page::Piece pictures, pictures_section(found, dataset));
  const page::Section sections[] = {{"pictures", "Pictures that every heuristic misses", std::move(pictures)},
                                    {"how", "How they were found", how_section(found)}};
  const Html lead = markup(
      "Board {}: {} of {} held-out training pictures of {} are missed by each of {} families. A heuristic "
      "that tells these apart adds what nobody has.",
      board, found.pictures.size(), found.num_held_out, dataset.name, found.families.size());
  return page::page("What nobody covers yet", lead, sections, MASH_VERSION);
}

Json to_json(const Uncovered& found) {
  Json json{{"num_held_out", found.num_held_out},
            {"num_uncovered", found.pictures.size()},
            {"rounds", found.rounds},
            {"seeds", found.num_seeds},
            {"families", found.families},
            {"clusters", Json::array()}};
  for (const MistakeCluster& cluster : found.clusters) {
    Json examples = Json::array();
    for (const std::size_t place : cluster.mistakes) {
      const Mistake& mistake = found.pictures[place];
      examples.push_back({{"train_idx", mistake.example_idx},
                          {"label", found.class_names[mistake.label]},
                          {"said", found.class_names[mistake.predicted]},
                          {"margin", mistake.margin}});
    }
    json["clusters"].push_back({{"label", found.class_names[cluster.label]},
                                {"said", found.class_names[cluster.predicted]},
                                {"of_that_pair", cluster.num_pair},
                                {"examples", examples}});
  }
  return json;
}

}  // namespace mash::server
