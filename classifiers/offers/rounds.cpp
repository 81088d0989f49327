// SPDX-License-Identifier: Apache-2.0
#include "classifiers/offers/rounds.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "classifiers/boosters/loop/weight_update.hpp"
#include "classifiers/boosters/whole_side/round.hpp"
#include "classifiers/losses/exponential.hpp"
#include "classifiers/samplers/feature_draw.hpp"
#include "classifiers/samplers/laminating.hpp"
#include "classifiers/serving/cut_answers.hpp"
#include "classifiers/weak/stump.hpp"
#include "framework/base/elementary.hpp"
#include "framework/base/hash.hpp"

namespace mash {
namespace {

std::unique_ptr<StepRule> step_rule(const SignedWeights& initial_weights, const Workers& workers) {
  return make_step_rule(exponential_loss(), initial_weights, workers);
}

// How many examples a first pass looks at, for the pool and the newcomer alike.
std::uint64_t first_sample(const OfferGround& ground) {
  const double num_candidates = std::max<double>(
      2, std::min<double>(ground.settings.num_candidates, double(ground.pool.num_features())));
  const double budget = ground.settings.budget * double(ground.pool.num_train());
  return std::max<std::uint64_t>(
      1, std::uint64_t(budget / (num_candidates * stable_log(num_candidates) / stable_log(2))));
}

// The same round with random numbers of its own.
Round apart(const Round& round, std::string_view purpose) {
  return {keyed_hash(round.seed, purpose), round.number};
}

// The key of what is drawn from the features that are offered. No name has a part in it: a new name would be
// a new draw, and those who rename often enough would climb.
std::uint64_t key_of_offered(const Round& round, std::string_view what) {
  return keyed_hash(keyed_hash(keyed_hash(round.seed, "offered"), round.number), what);
}

// Among equal features of the newcomer, which stand behind those of the pool.
Priority ties_of_offered(const Round& round, const FeatureSet& pool) {
  return [key = key_of_offered(round, "ties"), first = pool.num_features()](std::uint32_t feature) {
    return keyed_hash(key, std::uint64_t(feature) - first);
  };
}

// The numbers of features of the heuristics that the newcomer is.
std::vector<std::uint32_t> member_sizes(const OfferSettings& settings, std::uint64_t num_features) {
  return settings.members.empty() ? std::vector{std::uint32_t(num_features)} : settings.members;
}

}  // namespace

std::uint64_t num_offered(const OfferSettings& settings, std::uint64_t num_features) {
  std::uint64_t sum = 0;
  for (const std::uint32_t size : member_sizes(settings, num_features))
    sum += std::min(settings.num_offered, size);
  return sum;
}

Result<StrongClassifier> train_base(const OfferGround& ground, std::uint64_t seed, const WorkContext& work) {
  const WholeTrainingSide examples(InitialWeights::kUniform);
  const LaminatingSize size{ground.settings.num_candidates, first_sample(ground)};
  const SearchParts search{
      sampler_factory<LaminatingSampler>(size, ground.settings.budget, false, Passes::kFresh),
      std::make_shared<const StumpLearner>()};
  Observer nobody;
  MASH_ASSIGN(TrainingResult trained,
              train_rounds({{.num_rounds = ground.settings.base_rounds}},
                           {examples, ScanMode::kI16, hamming_criterion(), step_rule}, search, seed,
                           {.dataset = ground.dataset,
                            .features = ground.pool,
                            .work = {work.workers, no_progress(), work.remarks, work.stop},
                            .observer = nobody,
                            .checkpoint = {},
                            .run_key = {},
                            .left_out = ground.held_out,
                            .purpose = Purpose::kModel}));
  if (trained.status == TrainingStatus::kStopped) return Error{ErrorKind::kStopped, "stopped"};
  return trained.model.sum();
}

// One of the courses that the rounds can take, and what is offered to those who have all gone it so far.
struct OfferRounds::Course {
  struct Offer {
    Offered what;
    OfferedRounds* result;
  };

  Course(const OfferGround& ground, const Workers& workers, SignedWeights its_weights,
         std::vector<double> its_scores)
      : weights(std::move(its_weights)),
        scan(ground.together, weights, {}, workers),
        scores(std::move(its_scores)) {}

  SignedWeights weights;
  StumpScan scan;
  std::vector<double> scores;
  std::vector<Offer> offers = {};
};

OfferRounds::OfferRounds(const OfferGround& ground, std::uint64_t seed, std::span<const Hypothesis> base,
                         const Workers& workers)
    : ground_(ground),
      seed_(seed),
      workers_(workers),
      train_scores_(ground.dataset.train.num_examples, ground.dataset.num_classes(), workers),
      weights_(WholeTrainingSide(InitialWeights::kUniform).start(ground.dataset, workers)) {
  if (ground.held_out.empty())
    test_scores_.emplace(ground.dataset.test.num_examples, ground.dataset.num_classes(), workers);
  else
    leave_out(ground.held_out, workers, weights_);
  step_rule_ = step_rule(weights_, workers);
  add(base);
}

void OfferRounds::add(std::span<const Hypothesis> hypotheses) {
  const auto add_to = [&](Scores& scores, Side side) {
    scores.add(hypotheses, ground_.pool, side);
    scores.settle();
  };
  add_to(train_scores_, Side::kTrain);
  step_rule_->recompute(weights_, train_scores_);
  judged_scores_.clear();
  for (const std::uint32_t n : ground_.held_out) {
    const auto row = train_scores_.row(n);
    judged_scores_.insert(judged_scores_.end(), row.begin(), row.end());
  }
  if (test_scores_) {
    add_to(*test_scores_, Side::kTest);
    judged_scores_.assign(test_scores_->all().begin(), test_scores_->all().end());
  }
}

std::vector<std::uint32_t> OfferRounds::pool_candidates(const Round& round) const {
  return FeatureDraw(ground_.pool, round, "offer.candidates").from_all(ground_.settings.num_candidates);
}

std::vector<std::uint32_t> OfferRounds::rivals(Offered offered, const Round& round,
                                               std::span<const std::uint32_t> candidates) const {
  std::vector<std::uint32_t> features;
  if (offered == Offered::kNewcomer) {
    const RandomStream stream(key_of_offered(round, "features"), "features");
    auto first = std::uint32_t(ground_.pool.num_features());
    for (const std::uint32_t size : member_sizes(ground_.settings, ground_.newcomer.num_features())) {
      std::ranges::copy(FeatureOrder(first, size, stream).take(ground_.settings.num_offered),
                        std::back_inserter(features));
      first += size;
    }
  }
  if (offered == Offered::kMoreOfPool) {  // those that come next: a larger draw begins with the smaller one
    const std::uint64_t count = num_offered(ground_.settings, ground_.newcomer.num_features());
    const auto more = FeatureDraw(ground_.pool, round, "offer.candidates")
                          .from_all(ground_.settings.num_candidates + count);
    std::set_difference(more.begin(), more.end(), candidates.begin(), candidates.end(),
                        std::back_inserter(features));
  }
  return features;
}

std::vector<OfferedRounds> OfferRounds::play(std::span<const Offered> offered) const {
  std::vector<OfferedRounds> results(offered.size());
  std::vector<std::unique_ptr<Course>> courses;
  courses.push_back(std::make_unique<Course>(ground_, workers_, weights_, judged_scores_));
  for (std::size_t i = 0; i < offered.size(); ++i) courses[0]->offers.push_back({offered[i], &results[i]});
  for (std::uint32_t t = 1; t <= ground_.settings.rounds; ++t) {
    const Round round{seed_, ground_.settings.base_rounds + t};
    const auto of_pool = pool_candidates(round);
    std::vector<std::unique_ptr<Course>> begun;
    for (const auto& course : courses)
      std::ranges::move(go_on(*course, round, of_pool), std::back_inserter(begun));
    std::ranges::move(begun, std::back_inserter(courses));
  }
  for (const auto& course : courses)
    for (const Course::Offer& offer : course->offers) offer.result->scores = course->scores;
  return results;
}

std::vector<std::unique_ptr<OfferRounds::Course>> OfferRounds::go_on(Course& course, const Round& round,
                                                                     Candidates of_pool) const {
  const std::uint64_t num_examples = first_sample(ground_);
  course.scan.new_round(round.seed, round.number);
  std::vector<std::uint32_t> finalists{
      laminate(course.scan, round, {of_pool.begin(), of_pool.end()}, num_examples)};
  std::vector<std::size_t> rival_of;  // the place of each offer's rival among them; 0: it has none
  for (const Course::Offer& offer : course.offers) {
    const auto others = rivals(offer.what, round, of_pool);
    rival_of.push_back(others.empty() ? 0 : finalists.size());
    if (others.empty()) continue;
    const Round own = apart(round, "offer");
    finalists.push_back(offer.what == Offered::kNewcomer
                            ? laminate(course.scan, own, others, num_examples, Passes::kFresh,
                                       ties_of_offered(round, ground_.pool))
                            : laminate(course.scan, own, others, num_examples));
  }
  std::vector<StumpFit> fits = course.scan.refit(finalists);
  StumpFit& best = fits.front();
  std::vector<std::pair<Course::Offer, StumpFit>> winners;
  std::vector<Course::Offer> staying;
  for (std::size_t i = 0; i < rival_of.size(); ++i) {
    const Course::Offer& offer = course.offers[i];
    StumpFit& rival = fits[rival_of[i]];
    if (rival_of[i] == 0 || rival.edge <= best.edge) {
      staying.push_back(offer);
      continue;
    }
    offer.result->won.push_back(rival.feature);
    winners.emplace_back(offer, std::move(rival));
  }
  course.offers = std::move(staying);
  const auto take_fit = [&](Course& on, StumpFit fit) {
    take(stump_hypothesis(std::move(fit), ground_.together), ground_.settings.shrinkage, on.weights,
         on.scores);
  };
  const bool some_stay = !course.offers.empty();
  std::vector<std::unique_ptr<Course>> begun;
  for (auto& [offer, fit] : winners) {
    const bool has_it_alone = !some_stay && &fit == &winners.back().second;
    if (!has_it_alone)
      begun.push_back(std::make_unique<Course>(ground_, workers_, course.weights, course.scores));
    Course& own = has_it_alone ? course : *begun.back();
    own.offers = {offer};
    take_fit(own, std::move(fit));
  }
  if (some_stay) take_fit(course, std::move(best));
  return begun;
}

std::vector<Hypothesis> OfferRounds::fill_up(std::uint32_t count) {
  std::vector<Hypothesis> hypotheses;
  SignedWeights weights = weights_;
  std::vector<double> scores = judged_scores_;
  StumpScan scan(ground_.together, weights, {}, workers_);
  for (std::uint32_t t = 1; t <= count; ++t) {
    const Round round = apart({seed_, t}, "offer.more");
    scan.new_round(round.seed, round.number);
    WeakHypothesis best = stump_hypothesis(
        scan.refit(laminate(scan, round, pool_candidates(round), first_sample(ground_))), ground_.together);
    best.model.alpha = take(best, 1, weights, scores);
    hypotheses.push_back(std::move(best.model));
  }
  add(hypotheses);
  return hypotheses;
}

double OfferRounds::take(const WeakHypothesis& hypothesis, double shrinkage, SignedWeights& weights,
                         std::vector<double>& scores) const {
  const std::size_t num_classes = weights.num_classes();
  const double alpha =
      shrinkage * exponential_loss().closed_step(hypothesis.edge, weights.num_examples()).alpha;
  const double wrong_share = (1 - std::min(1.0, hypothesis.edge)) / 2;
  // Divided by what the loss is multiplied by, so that the weights still add up to 1.
  const double factor = (1 - wrong_share) * stable_exp(-alpha) + wrong_share * stable_exp(alpha);
  const double right = stable_exp(-alpha) / factor, wrong = stable_exp(alpha) / factor;
  multiply_weights(hypothesis, weights, workers_, [&](std::size_t cell, std::size_t label, std::size_t l) {
    return (hypothesis.votes[cell * num_classes + l] > 0) == (label == l) ? right : wrong;
  });
  const bool on_test = ground_.held_out.empty();
  const auto test_cells =
      on_test ? cells_of(hypothesis.model, ground_.together, Side::kTest) : std::vector<std::uint8_t>();
  for (std::size_t i = 0; i < scores.size() / num_classes; ++i) {
    const std::size_t cell = on_test ? test_cells[i] : hypothesis.cells[ground_.held_out[i]];
    const double* votes = &hypothesis.votes[cell * num_classes];
    for (std::size_t l = 0; l < num_classes; ++l) scores[i * num_classes + l] += alpha * votes[l];
  }
  return alpha;
}

}  // namespace mash
