// SPDX-License-Identifier: Apache-2.0
#include "classifiers/weak/product.hpp"

#include <array>
#include <cmath>
#include <string>

namespace mash {
namespace {

constexpr double kBetter = 1e-12;  // less is rounding

}  // namespace

// The terms so far: those that are not fitted yet are +1 everywhere.
class ProductLearner::Product {
 public:
  Product(const SignedWeights& weights, std::size_t num_terms)
      : terms_(num_terms), negative_(weights.num_examples()), votes_(weights.num_classes(), 1) {}

  // Which examples the other terms give the other sign: an edge on the weights with these signs is, except
  // for the signs of the classes, an edge of the product.
  std::span<const std::uint8_t> negated_by_others(std::size_t term) {
    negated_ = negative_;
    toggle(terms_[term], negated_);
    return negated_;
  }

  // fit: on the weights that negated_by_others gives.
  void replace(std::size_t term, StumpFit fit) {
    Term& own = terms_[term];
    std::vector<std::int8_t> votes;
    for (std::size_t l = 0; l < votes_.size(); ++l) {
      const int vote_of_others = own.is_fitted() ? votes_[l] * own.votes[l] : votes_[l];
      votes.push_back(vote_of_others * fit.class_edges[l] >= 0 ? 1 : -1);
      votes_[l] = std::int8_t(vote_of_others * votes[l]);
    }
    toggle(own, negative_);
    own.fit = std::move(fit);
    own.votes = std::move(votes);
    toggle(own, negative_);
  }

  WeakHypothesis finish(const StumpScan& scan) const {
    WeakHypothesis result;
    for (const Term& term : terms_)
      if (term.is_fitted() && term.fit.threshold != kConstant)
        result.model.cuts.push_back(cut_of(term.fit, scan.features()));
    if (result.model.cuts.empty()) result.model.cuts = {cut_of(terms_[0].fit, scan.features())};
    for (const std::uint8_t negative : negative_) result.cells.push_back(negative == 0);
    const std::vector<double> sums = scan.weights().class_sums(result.cells, 2);
    for (std::size_t l = 0; l < votes_.size(); ++l) {
      const double edge = sums[votes_.size() + l] - sums[l];
      result.model.votes.push_back(edge >= 0 ? 1 : -1);
      result.edge += std::abs(edge);
    }
    result.votes = cell_votes(result.model);
    return result;
  }

 private:
  struct Term {
    StumpFit fit;
    std::vector<std::int8_t> votes;  // K, of the product's factor
    bool is_fitted() const { return !fit.above.empty(); }
  };

  // Puts the term into the product of signs, or, being its own inverse, takes it out.
  static void toggle(const Term& term, std::vector<std::uint8_t>& negative) {
    if (!term.is_fitted()) return;
    for (std::size_t n = 0; n < negative.size(); ++n) negative[n] ^= term.fit.above[n] == 0;
  }

  std::vector<Term> terms_;
  std::vector<std::uint8_t> negative_;  // of each example: an odd number of phi is -1
  std::vector<std::uint8_t> negated_;   // the same without one of the terms
  std::vector<std::int8_t> votes_;      // the product of the terms' votes
};

void ProductLearner::fit_terms(StumpScan& scan, Sampler& sampler, const Round& round,
                               Product& product) const {
  // Nothing is left over for a second cycle of one term.
  const std::uint32_t max_cycles = options_.num_terms == 1 ? 1 : options_.max_cycles;
  double best = 0;
  bool improved = true;
  for (std::uint32_t cycle = 0, search = 0; cycle < max_cycles && improved; ++cycle) {
    improved = false;
    for (std::uint32_t term = 0; term < options_.num_terms; ++term, ++search) {
      if (search > 0) scan.focus({{}, 1, product.negated_by_others(term)});
      StumpFit fit = scan.refit(sampler.propose(scan, round.search(search)));
      if (search > 0) scan.end_focus();
      if (search > 0 && fit.edge <= best + kBetter) {
        if (options_.stop_at_first) return;
        continue;
      }
      best = fit.edge;
      improved = true;
      product.replace(term, std::move(fit));
    }
  }
}

WeakHypothesis ProductLearner::learn(StumpScan& scan, Sampler& sampler, const Round& round) const {
  Product product(scan.weights().of_all(), options_.num_terms);
  fit_terms(scan, sampler, round, product);
  return product.finish(scan);
}

Result<std::unique_ptr<const WeakLearner>> make_product(Settings& settings) {
  constexpr std::array kStops{Choice{"cycle", false}, Choice{"first", true}};
  ProductLearner::Options options;
  MASH_ASSIGN(const auto terms, settings.integer("terms", options.num_terms, 1, 64));
  MASH_ASSIGN(options.stop_at_first, settings.one_of("stop", options.stop_at_first, kStops));
  MASH_ASSIGN(const auto cycles, settings.integer("max_cycles", options.max_cycles, 1, 1000));
  MASH_ASSIGN(options.cuts, read_cuts(settings));
  options.num_terms = std::uint32_t(terms);
  options.max_cycles = std::uint32_t(cycles);
  return {std::make_unique<const ProductLearner>(options)};
}

}  // namespace mash
