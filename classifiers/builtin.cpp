// SPDX-License-Identifier: Apache-2.0
#include "classifiers/builtin.hpp"

#include <algorithm>
#include <array>

#include "classifiers/baselines/c45.hpp"
#include "classifiers/baselines/constant.hpp"
#include "classifiers/baselines/k_nn.hpp"
#include "classifiers/baselines/linear_svm.hpp"
#include "classifiers/baselines/logistic_regression.hpp"
#include "classifiers/baselines/naive_bayes.hpp"
#include "classifiers/baselines/perceptron.hpp"
#include "classifiers/baselines/ridge.hpp"
#include "classifiers/baselines/svm.hpp"
#include "classifiers/boosters/one_vs_all/filterboost.hpp"
#include "classifiers/boosters/one_vs_all/logitboost.hpp"
#include "classifiers/boosters/one_vs_all/reservoir.hpp"
#include "classifiers/boosters/online/online.hpp"
#include "classifiers/boosters/whole_side/adaboost_mh.hpp"
#include "classifiers/boosters/whole_side/adaboost_samme.hpp"
#include "classifiers/boosters/whole_side/budgeted.hpp"
#include "classifiers/losses/exponential.hpp"
#include "classifiers/losses/logistic.hpp"
#include "classifiers/losses/savage.hpp"
#include "classifiers/samplers/bandit.hpp"
#include "classifiers/samplers/full.hpp"
#include "classifiers/samplers/laminating.hpp"
#include "classifiers/samplers/mas.hpp"
#include "classifiers/samplers/tasted_laminating.hpp"
#include "classifiers/samplers/tasting.hpp"
#include "classifiers/samplers/tasting_bonus.hpp"
#include "classifiers/samplers/uniform.hpp"
#include "classifiers/weak/product.hpp"
#include "classifiers/weak/stump.hpp"
#include "classifiers/weak/tree.hpp"

namespace mash {
namespace {

constexpr std::array kLosses{
    LossRow{"exponential", "e^-m (Schapire & Singer 1999)", exponential_loss},
    LossRow{"logistic", "log2(1 + e^-m) (Friedman, Hastie & Tibshirani 2000)", logistic_loss},
    LossRow{"savage",
            "4 / (1 + e^2m)^2, which leaves hopeless examples alone (Masnadi-Shirazi & Vasconcelos 2008)",
            savage_loss},
};

constexpr std::array kLearners{
    LearnerRow{"c4.5", "a decision tree by the ratio of information, pruned (Quinlan 1993)", make_c45},
    LearnerRow{"constant",
               "the shares of the classes, without a look at any feature: what others are measured against",
               make_constant},
    LearnerRow{"k-nn", "the most frequent class among the nearest training examples (Fix & Hodges 1951)",
               make_k_nn},
    LearnerRow{"linear-svm",
               "one class against all others by linear support vector machines (Hsieh et al. 2008)",
               make_linear_svm},
    LearnerRow{"logistic-regression", "probabilities of all classes by a linear function of each",
               make_logistic_regression},
    LearnerRow{"naive-bayes", "a normal density of each feature in each class (Duda & Hart 1973)",
               make_naive_bayes},
    LearnerRow{"perceptron",
               "a linear function of each class, moved by the examples that it gets wrong (Rosenblatt 1958)",
               make_perceptron},
    LearnerRow{
        "ridge",
        "one class against all others by least squares with shrunk coefficients (Hoerl & Kennard 1970)",
        make_ridge},
    LearnerRow{"svm", "support vector machines of all pairs of classes, with a kernel (Cortes & Vapnik 1995)",
               make_svm},
};

constexpr std::array kBoosters{
    BoosterRow{"adaboost.mh",
               "multi-class boosting of vote vectors (Schapire & Singer 1999)",
               [](Settings& settings, SearchParts search) {
                 return make_adaboost_mh(settings, std::move(search), kLosses);
               },
               {},
               kKeepsPrefix},
    BoosterRow{"adaboost.samme",
               "multi-class boosting of hypotheses that choose one class (Zhu et al. 2009)",
               make_adaboost_samme,
               {},
               kKeepsPrefix},
    BoosterRow{
        "budgeted",
        "adaboost.mh whose classifier asks for no more features than a budget pays (Huang, Powers & Reyzin "
        "2015)",
        make_budgeted,
        {},
        kKeepsPrefix},
    BoosterRow{"filterboost",
               "one class against all others, each round on fresh examples of a filter (Bradley & Schapire "
               "2007)",
               make_filterboost,
               {},
               kKeepsPrefix},
    BoosterRow{
        "logitboost",
        "one class against all others by the logistic loss, with an exact line search (Friedman, Hastie & "
        "Tibshirani 2000; Lefakis & Fleuret 2013)",
        make_logitboost,
        {},
        kKeepsPrefix},
    BoosterRow{"logitboost.classical",
               "Newton steps on the logistic loss of all classes together: stumps that fit working responses "
               "by least squares (Friedman, Hastie & Tibshirani 2000)",
               make_classical_logitboost,
               {},
               kKeepsPrefix},
    BoosterRow{"online-gradientboost",
               "online selectors of stumps, weighted by the slope of a loss (Leistner et al. 2009)",
               [](Settings& settings, SearchParts search) {
                 return make_online("online-gradientboost", settings, std::move(search));
               }},
    BoosterRow{"osboost", "online boosting with smooth weights and equal votes (Chen, Lin & Lu 2012)",
               [](Settings& settings, SearchParts search) {
                 return make_online("osboost", settings, std::move(search));
               }},
    BoosterRow{"osboost.exp",
               "osboost whose first learners vote, as many as did best (Chen, Lin & Lu 2012, OSBoost.EXP)",
               [](Settings& settings, SearchParts search) {
                 return make_online("osboost.exp", settings, std::move(search));
               }},
    BoosterRow{"osboost.ocp",
               "osboost whose votes follow the slope of a hinge (Chen, Lin & Lu 2012, OSBoost.OCP)",
               [](Settings& settings, SearchParts search) {
                 return make_online("osboost.ocp", settings, std::move(search));
               }},
    BoosterRow{"oza-russell",
               "online AdaBoost: learners pass on how much an example matters (Oza & Russell 2001)",
               [](Settings& settings, SearchParts search) {
                 return make_online("oza-russell", settings, std::move(search));
               }},
    BoosterRow{"reservoir",
               "logitboost that knows a few hundred examples at a time (Lefakis & Fleuret 2013)",
               make_reservoir,
               {},
               kKeepsPrefix},
    BoosterRow{"selectors",
               "online boosting that chooses among features and replaces the worst (Grabner & Bischof 2006)",
               [](Settings& settings, SearchParts search) {
                 return make_online("selectors", settings, std::move(search));
               }},
};

std::vector<std::string> powers_of_two(const FeatureSet&) {
  std::vector<std::string> values;
  for (int power = 0; power <= 11; ++power) values.push_back(std::to_string(1 << power));
  return values;
}

std::vector<std::string> family_names(const FeatureSet& features) {
  std::vector<std::string> names;
  for (const FamilyInfo& family : features.families()) names.push_back(family.spec.name);
  return names;
}

constexpr std::array kSamplers{
    SamplerRow{
        "best-family",
        "features of the one family with which training ends best (Dubout & Fleuret 2014, section 6.3)",
        make_best_family,
        {"family", family_names, true},
        kKeepsPrefix},
    SamplerRow{
        "epsilon-greedy",
        "the family with the best mean reward or, ever more rarely, any (Dubout & Fleuret 2014, section 6.4)",
        make_epsilon_greedy,
        {"ratio", powers_of_two},
        kKeepsPrefix},
    SamplerRow{"exp3.p",
               "families drawn by exponential weights of their rewards (Auer et al. 2002, section 6)",
               make_exp3p,
               {"scale", powers_of_two}},
    SamplerRow{"full",
               "all features on all examples, with which the others are compared",
               make_full,
               {},
               kKeepsPrefix},
    SamplerRow{"laminating",
               "tournament of candidates on ever more examples (Dubout & Fleuret 2014, Alg. 4)",
               make_laminating,
               {},
               kKeepsPrefix},
    SamplerRow{"laminating.nested",
               "Laminating whose passes keep the examples of those before, by priority (Duffield, Lund "
               "& Thorup 2007)",
               make_laminating_nested,
               {},
               kKeepsPrefix},
    SamplerRow{"lazyboost",
               "a few features drawn uniformly from all families (Escudero, Marquez & Rigau 2000)",
               make_lazyboost,
               {},
               kKeepsPrefix},
    SamplerRow{"mas.1q",
               "candidates of one family, as many on as many examples as promises most (Dubout & "
               "Fleuret 2014, section 5)",
               make_mas_1q,
               {},
               kKeepsPrefix},
    SamplerRow{"mas.naive",
               "candidates of all families together, as many on as many examples as promises most (Dubout & "
               "Fleuret 2014, Alg. 3)",
               make_mas_naive,
               {},
               kKeepsPrefix},
    SamplerRow{"mas.q1",
               "as mas.1q, with candidates from every family that promises enough (Dubout & Fleuret 2014)",
               make_mas_q1,
               {},
               kKeepsPrefix},
    SamplerRow{"tasting.1q",
               "all candidates from the family that a stock of its features recommends (Dubout & "
               "Fleuret 2014, Alg. 1)",
               make_tasting_1q,
               {},
               kKeepsPrefix},
    SamplerRow{"tasting.bonus",
               "tasting.1q that tastes a family again when its upper bound is the largest (Dubout & "
               "Fleuret 2014, section 7)",
               make_tasting_bonus,
               {},
               kKeepsPrefix},
    SamplerRow{
        "tasting.laminating",
        "Laminating over candidates that Tasting shares out among families (Dubout & Fleuret 2014, section "
        "7)",
        make_tasting_laminating,
        {},
        kKeepsPrefix},
    SamplerRow{"tasting.nested",
               "laminating.nested over candidates that Tasting shares out among families",
               make_tasting_nested,
               {},
               kKeepsPrefix},
    SamplerRow{
        "tasting.q1",
        "each candidate from the family that can best raise the edge so far (Dubout & Fleuret 2014, Alg. 2)",
        make_tasting_q1,
        {},
        kKeepsPrefix},
    SamplerRow{"ucb",
               "the family with the best upper confidence bound of rewards (Auer et al. 2002)",
               make_ucb,
               {"scale", powers_of_two},
               kKeepsPrefix},
    SamplerRow{"ucbv",
               "as ucb, with the rewards' variance in the bound (Audibert, Munos & Szepesvari 2009)",
               make_ucbv,
               {"scale", powers_of_two},
               kKeepsPrefix},
    SamplerRow{"uniform.1q",
               "features of one family, drawn uniformly (Dubout & Fleuret 2014, section 6.3)",
               make_uniform_1q,
               {},
               kKeepsPrefix},
    SamplerRow{"uniform.naive",
               "features drawn uniformly from all families together (Dubout & Fleuret 2014)",
               make_uniform_naive,
               {},
               kKeepsPrefix},
    SamplerRow{"uniform.q1",
               "one feature from each of some families, drawn uniformly (Dubout & Fleuret 2014)",
               make_uniform_q1,
               {},
               kKeepsPrefix},
};

constexpr std::array kWeakLearners{
    WeakLearnerRow{"product",
                   "a product of stumps, each fitted to what the others leave (Kegl & Busa-Fekete 2009)",
                   make_product},
    WeakLearnerRow{"stump", "a threshold on one feature with a vote per class (Schapire & Singer 1999)",
                   make_stump},
    WeakLearnerRow{"tree", "cuts of the leaf that gains most, a vote vector a leaf (Busa-Fekete & Kegl 2010)",
                   make_tree},
};

template <class Row, std::size_t N>
Result<const Row*> find(std::string_view what, std::string_view name, const std::array<Row, N>& table) {
  std::vector<std::string_view> known;
  for (const auto& row : table) {
    if (row.name == name) return &row;
    known.push_back(row.name);
  }
  return unknown_name(what, name, known);
}

}  // namespace

SearchParts plain_search() {
  return {sampler_factory<FullSampler>(), std::make_shared<const StumpLearner>()};
}

std::span<const LearnerRow> builtin_learners() { return kLearners; }
std::span<const BoosterRow> builtin_boosters() { return kBoosters; }
std::span<const LossRow> builtin_losses() { return kLosses; }
std::span<const SamplerRow> builtin_samplers() { return kSamplers; }
std::span<const WeakLearnerRow> builtin_weak_learners() { return kWeakLearners; }

Result<const LearnerRow*> find_learner(std::string_view name) { return find("classifier", name, kLearners); }
Result<const BoosterRow*> find_booster(std::string_view name) { return find("booster", name, kBoosters); }
Result<const SamplerRow*> find_sampler(std::string_view name) { return find("sampler", name, kSamplers); }
Result<const WeakLearnerRow*> find_weak_learner(std::string_view name) {
  return find("weak learner", name, kWeakLearners);
}

}  // namespace mash
