// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/margin_shares.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "framework/base/random.hpp"
#include "framework/base/statistics.hpp"

namespace mash {
namespace {

constexpr std::size_t kBlock = 512;  // examples that are added up together

// A model's hypotheses as tables, and who asks.
class Additive {
 public:
  Additive(const StrongClassifier& model, const CutAnswers& answers) : model_(model), answers_(answers) {
    for (const Hypothesis& hypothesis : model.hypotheses) votes_.push_back(cell_votes(hypothesis));
  }

  std::size_t num_hypotheses() const { return model_.hypotheses.size(); }
  const Hypothesis& hypothesis(std::size_t t) const { return model_.hypotheses[t]; }

  // alpha v of a cell.
  double vote(std::size_t t, std::size_t cell, std::size_t class_idx) const {
    return model_.hypotheses[t].alpha * votes_[t][cell * model_.num_classes() + class_idx];
  }
  std::size_t cell(std::size_t t, std::size_t example) const {
    return cell_of(model_.hypotheses[t], [&](std::size_t i) { return answers_.holds(t, i, example); });
  }
  // The cell of an example that has another one's values of some families.
  std::size_t cell(std::size_t t, std::size_t example, const std::vector<bool>& permuted,
                   std::size_t other) const {
    const auto& cuts = model_.hypotheses[t].cuts;
    return cell_of(model_.hypotheses[t], [&](std::size_t i) {
      return answers_.holds(t, i, permuted[cuts[i].family_idx] ? other : example);
    });
  }
  // The hypotheses that look at one of these families.
  std::vector<std::size_t> users_of(const std::vector<bool>& families) const {
    std::vector<std::size_t> users;
    for (std::size_t t = 0; t < num_hypotheses(); ++t) {
      const auto& cuts = model_.hypotheses[t].cuts;
      if (std::any_of(cuts.begin(), cuts.end(), [&](const Cut& cut) { return families[cut.family_idx]; }))
        users.push_back(t);
    }
    return users;
  }

  void add_scores(std::size_t example, std::span<double> scores) const {
    for (std::size_t t = 0; t < num_hypotheses(); ++t) {
      const std::size_t c = cell(t, example);
      for (std::size_t l = 0; l < scores.size(); ++l) scores[l] += vote(t, c, l);
    }
  }

 private:
  const StrongClassifier& model_;
  const CutAnswers& answers_;
  std::vector<std::vector<double>> votes_;
};

std::size_t best_other(std::span<const double> scores, std::size_t label) {
  std::size_t best = label == 0 ? 1 : 0;
  for (std::size_t l = 0; l < scores.size(); ++l)
    if (l != label && scores[l] > scores[best]) best = l;
  return best;
}

// Divides an example's margin among the families. bound > 0.
void add_shares(const Additive& model, std::size_t example, std::size_t label, std::span<const double> scores,
                double bound, std::span<double> shares) {
  const bool binary = scores.size() == 1;
  const std::size_t other = binary ? 0 : best_other(scores, label);
  for (std::size_t t = 0; t < model.num_hypotheses(); ++t) {
    const std::size_t cell = model.cell(t, example);
    const double part = binary ? model.vote(t, cell, 0) / bound
                               : (model.vote(t, cell, label) - model.vote(t, cell, other)) / (2 * bound);
    const auto& cuts = model.hypothesis(t).cuts;
    for (const Cut& cut : cuts) shares[cut.family_idx] += part / double(cuts.size());
  }
}

}  // namespace

std::vector<ExampleShares> example_shares(const StrongClassifier& model, const CutAnswers& answers,
                                          std::span<const std::uint16_t> labels, const Workers& workers) {
  const Additive additive(model, answers);
  const double bound = score_bound(model);
  std::vector<ExampleShares> examples(labels.size());
  workers.for_blocks(labels.size(), kBlock, [&](std::size_t, std::size_t begin, std::size_t end) {
    std::vector<double> scores(model.num_classes());
    for (std::size_t n = begin; n < end; ++n) {
      ExampleShares& example = examples[n];
      std::fill(scores.begin(), scores.end(), 0.0);
      additive.add_scores(n, scores);
      example.predicted = predicted_class(scores);
      example.margin = margin(scores, labels[n], bound);
      example.families.resize(model.families.size());
      if (bound > 0) add_shares(additive, n, labels[n], scores, bound, example.families);
    }
  });
  return examples;
}

MarginShares margin_shares(const StrongClassifier& model, const CutAnswers& answers,
                           std::span<const std::uint16_t> labels, const Workers& workers) {
  const std::size_t num_families = model.families.size();
  const auto examples = example_shares(model, answers, labels, workers);
  MarginShares shares;
  shares.families.resize(num_families);
  for (std::size_t n = 0; n < labels.size(); ++n) {
    shares.mean_margin += examples[n].margin / double(labels.size());
    for (std::size_t k = 0; k < num_families; ++k)
      shares.families[k] += examples[n].families[k] / double(labels.size());
  }
  return shares;
}

std::vector<double> alpha_shares(const StrongClassifier& model) {
  std::vector<double> shares(model.families.size());
  double sum = 0;
  for (const Hypothesis& hypothesis : model.hypotheses) {
    sum += hypothesis.alpha;
    for (const Cut& cut : hypothesis.cuts)
      shares[cut.family_idx] += hypothesis.alpha / double(hypothesis.cuts.size());
  }
  for (double& share : shares) share = sum > 0 ? share / sum : 0;
  return shares;
}

std::vector<PermutationImportance> permutation_importance(const StrongClassifier& model,
                                                          const CutAnswers& answers,
                                                          std::span<const std::vector<std::size_t>> groups,
                                                          std::span<const std::uint16_t> labels,
                                                          const PermutationSettings& settings,
                                                          const Workers& workers) {
  const std::size_t num_classes = model.num_classes(), num_examples = labels.size(),
                    num_permutations = settings.num_permutations;
  const Additive additive(model, answers);
  std::vector<double> scores(num_examples * num_classes);
  workers.for_blocks(num_examples, kBlock, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n)
      additive.add_scores(n, std::span(scores).subspan(n * num_classes, num_classes));
  });
  std::size_t num_wrong = 0;
  for (std::size_t n = 0; n < num_examples; ++n)
    num_wrong += predicted_class(std::span(scores).subspan(n * num_classes, num_classes)) != labels[n];

  std::vector<double> rises(groups.size() * num_permutations);  // of the error, group after group
  workers.for_blocks(rises.size(), 1, [&](std::size_t place, std::size_t, std::size_t) {
    std::vector<bool> permuted(model.families.size());
    for (const std::size_t k : groups[place / num_permutations]) permuted[k] = true;
    std::vector<std::size_t> others(num_examples);
    std::iota(others.begin(), others.end(), std::size_t(0));
    RandomStream stream(settings.seed, "reports.permutation-importance", place % num_permutations);
    stream.shuffle(std::span(others));
    const auto users = additive.users_of(permuted);
    std::size_t num_wrong_now = 0;
    std::vector<double> row(num_classes);
    for (std::size_t n = 0; n < num_examples; ++n) {
      std::copy_n(&scores[n * num_classes], num_classes, row.begin());
      for (const std::size_t t : users) {
        const std::size_t before = additive.cell(t, n), now = additive.cell(t, n, permuted, others[n]);
        if (before == now) continue;
        for (std::size_t l = 0; l < num_classes; ++l)
          row[l] += additive.vote(t, now, l) - additive.vote(t, before, l);
      }
      num_wrong_now += predicted_class(row) != labels[n];
    }
    rises[place] = (double(num_wrong_now) - double(num_wrong)) / double(num_examples);
  });
  std::vector<PermutationImportance> importance;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const Statistics statistics =
        statistics_of(std::span<const double>(rises).subspan(g * num_permutations, num_permutations));
    importance.push_back({statistics.mean, statistics.sd / std::sqrt(double(num_permutations))});
  }
  return importance;
}

}  // namespace mash
