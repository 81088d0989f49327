// SPDX-License-Identifier: Apache-2.0
#include "classifiers/online/oza_russell.hpp"

#include <array>

#include "framework/base/require.hpp"

namespace mash {
namespace {

constexpr double kLargestMean = 500;

}  // namespace

std::uint32_t draw_poisson(double mean, RandomStream& stream) {
  require(mean >= 0 && mean <= 700, "draw_poisson: a mean from 0 to 700");
  const double limit = stable_exp(-mean);
  std::uint32_t count = 0;
  for (double product = stream.uniform(); product > limit; product *= stream.uniform()) ++count;
  return count;
}

OzaRussell::OzaRussell(std::uint64_t seed, Learners learners, Draws draws, std::vector<OnlineStump> stumps)
    : seed_(seed), learners_(learners), draws_(draws), set_(std::move(stumps)), sums_(set_.size()) {}

void OzaRussell::learn(std::span<const float> values, int sign, double weight) {
  require(values.size() == set_.size(), "as many values as features");
  if (weight == 0) return;
  RandomStream draws(seed_, "online.oza.poisson", num_learned_++);
  double lambda = weight;
  for (std::size_t m = 0; m < set_.size(); ++m) {
    if (learners_ == Learners::kUpdated && draws_ == Draws::kWeighted)
      set_.learn(m, values[m], sign, lambda);
    else if (learners_ == Learners::kUpdated)
      for (auto left = draw_poisson(std::min(lambda, kLargestMean), draws); left > 0; --left)
        set_.learn(m, values[m], sign, 1);
    const bool is_right = set_.answer(m, values[m]) == sign;
    sums_[m].add(is_right, lambda);
    lambda = passed_on(lambda, held_error(sums_[m].error()), is_right);
  }
}

double OzaRussell::score(std::span<const float> values) const { return set_.score(values, coefficients()); }

std::vector<double> OzaRussell::coefficients() const {
  std::vector<double> coefficients;
  for (const ErrorSums& sums : sums_) coefficients.push_back(log_odds_of_right(sums.error()));
  return coefficients;
}

std::vector<double> OzaRussell::state() const {
  StateWriter writer;
  writer.add(num_learned_);
  set_.write(writer);
  for (const ErrorSums& sums : sums_) writer.add(sums.right, sums.wrong);
  return writer.take();
}

void OzaRussell::restore(std::span<const double> numbers) {
  StateReader reader(numbers);
  num_learned_ = reader.next<std::uint64_t>();
  set_.read(reader);
  for (ErrorSums& sums : sums_) {
    sums.right = reader.next();
    sums.wrong = reader.next();
  }
  reader.finish();
}

Result<OnlineFactory> make_oza_russell(Settings& settings) {
  using Draws = OzaRussell::Draws;
  constexpr std::array kDraws{Choice{"weighted", Draws::kWeighted}, Choice{"poisson", Draws::kPoisson}};
  MASH_ASSIGN(const Learners learners, read_learners(settings));
  MASH_ASSIGN(const Draws draws, settings.one_of("draws", Draws::kWeighted, kDraws));
  if (learners == Learners::kFixed && settings.has("draws"))
    MASH_TRY(settings.refuse(
        input_error("{}: draws is for base learners that learn; found it without learners: updated",
                    settings.where("draws"))));
  return OnlineFactory([=](const OnlineTask& task) -> Result<std::unique_ptr<OnlineBooster>> {
    MASH_TRY(check_learners("oza-russell", learners, task));
    return std::unique_ptr<OnlineBooster>(
        std::make_unique<OzaRussell>(task.seed, learners, draws, task.learners));
  });
}

}  // namespace mash
