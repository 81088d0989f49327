// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/budget/sets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "framework/base/hash.hpp"
#include "framework/base/random.hpp"
#include "framework/dataset/data_path.hpp"
#include "framework/dataset/readers/formats.hpp"
#include "framework/dataset/source.hpp"
#include "framework/dataset/tables/table_labels.hpp"
#include "framework/dataset/text_table.hpp"

namespace mash {
namespace {

constexpr std::string_view kOptdigits =
    "path=optdigits/optdigits.tra.gz;test_path=optdigits/optdigits.tes.gz";
constexpr std::string_view kAdult =
    "path=adult/adult.data.gz;test_path=adult/adult.test.gz;test_skip_lines=1;label_strip=.;missing=?";
constexpr std::string_view kBreastCancer =
    "path=breast-cancer-wisconsin/breast-cancer-wisconsin.data;ignore=0;missing=?";

constexpr std::array kSets{
    BudgetSet{"mnist-17", "MNIST, 1 against 7", "ocr17", 403, "mnist", "", "1", "7", "", 1, .01, 1000, 5000,
              400},
    BudgetSet{"mnist-49", "MNIST, 4 against 9", "ocr49", 403, "mnist", "", "4", "9", "", 1, .01, 1000, 5000,
              200},
    BudgetSet{"optdigits-17", "optdigits, 1 against 7", "ocr17", 403, "csv", kOptdigits, "1", "7", "", 0, .01,
              600, 5000, 400},
    BudgetSet{"optdigits-49", "optdigits, 4 against 9", "ocr49", 403, "csv", kOptdigits, "4", "9", "", 0, .01,
              600, 5000, 200},
    BudgetSet{"splice", "splice", "splice", 240, "splice", "path=splice/splice.data.gz", "", "N", "all", 0,
              .01, 1000, 2175, 75},
    BudgetSet{"adult", "adult", "census", 131, "csv", kAdult, "", ">50K", "c1,c3,c5,c6,c7,c8,c9,c13", 5, 0,
              1000, 5000, 880},
    BudgetSet{"breast-cancer", "breast cancer (Wisconsin)", "breast cancer", 82, "csv", kBreastCancer, "",
              "4", "", 0, 0, 500, 199, 500},
    BudgetSet{"ecoli", "ecoli", "ecoli", 356, "csv", "path=ecoli/ecoli.data;delimiter=space;ignore=0", "",
              "cp", "", 0, 0, 200, 136, 50},
    BudgetSet{"sonar", "sonar", "sonar", 11196, "csv", "path=sonar/sonar.all-data", "", "M", "", 0, 0, 100,
              108, 99},
    BudgetSet{"heart", "heart (Statlog)", "heart", 371, "csv", "path=heart-statlog/heart.dat;delimiter=space",
              "", "2", "", 0, 0, 100, 170, 15},
    BudgetSet{"ionosphere", "ionosphere", "ionosphere", 8114, "csv", "path=ionosphere/ionosphere.data", "",
              "b", "", 0, 0, 300, 51, 400},
    BudgetSet{"constructed", "constructed, in place of Webscope", "webscope set 2", 519, "made", "", "", "1",
              "", 0, 0, 2000, 4000, 500},
};

Settings settings_of(const BudgetSet& set) {
  Settings settings;
  std::string_view rest = set.settings;
  while (!rest.empty()) {
    const std::string_view one = rest.substr(0, rest.find(';'));
    rest.remove_prefix(std::min(rest.size(), one.size() + 1));
    const std::size_t middle = one.find('=');
    settings.add(std::string(one.substr(0, middle)), std::string(one.substr(middle + 1)),
                 fmt::format("data set {}", set.name));
  }
  return settings;
}

// Lines "class, name, bases": a column for each base, which is the letter's number.
Result<Dataset> read_splice(Settings settings) {
  constexpr std::size_t kNumBases = 60;
  MASH_ASSIGN(const auto path, find_data_path(settings, "splice"));
  MASH_ASSIGN(const LoadedSource source, read_source(path));
  Dataset dataset;
  for (std::size_t j = 0; j < kNumBases; ++j) dataset.column_names.push_back(fmt::format("c{}", j));
  std::vector<std::string_view> classes;
  LineReader reader(source.bytes);
  for (std::string_view line; reader.next(line);) {
    if (trimmed(line).empty()) continue;
    const std::string_view bases = trimmed(line.substr(line.rfind(',') + 1));
    if (bases.size() != kNumBases)
      return input_error("{}:{}: found {} bases, expected {}", source.place(), reader.line_number(),
                         bases.size(), kNumBases);
    classes.push_back(trimmed(line.substr(0, line.find(','))));
    for (const char base : bases) dataset.train.values.push_back(float(base - 'A'));
  }
  MASH_ASSIGN(EncodedLabels labels, encode_labels(classes));
  dataset.train.num_examples = classes.size();
  set_labels(std::move(labels), classes.size(), dataset);
  return dataset;
}

// Costs for the claim on Webscope (Huang, Powers & Reyzin 2015, section 6): one feature tells more than any
// other and costs 20; the others tell little each, but many of them are cheap, and their votes are
// independent. A feature is right with the same probability for both classes.
constexpr std::array kOwnCosts{.1, .5, 1.0, 2.0, 5.0, 10.0, 15.0};
constexpr double kExpensiveCost = 20, kExpensiveRight = .8, kMostRight = .62;
constexpr std::size_t kMadeFeatures = 519, kMadeExamples = 6000;

BinaryPool draw_constructed() {
  BinaryPool pool;
  pool.num_features = kMadeFeatures;
  RandomStream labels(1, "reproduce.budget.labels");
  for (std::size_t n = 0; n < kMadeExamples; ++n) pool.labels.push_back(std::uint16_t(labels.below(2)));
  for (std::size_t j = 0; j < kMadeFeatures; ++j) {
    RandomStream random(1, "reproduce.budget.feature", j);
    const double right = j == 0 ? kExpensiveRight : random.uniform(.5, kMostRight);
    for (const std::uint16_t label : pool.labels)
      pool.bits.push_back(std::uint8_t(random.uniform() < right ? label : 1 - label));
  }
  return pool;
}

bool is_listed(std::string_view name, std::string_view list) {
  if (list == "all") return true;
  const auto names = split_list(list);
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The label of each class in the pool: 0, 1, or 2 where it is left out.
Result<std::vector<std::uint16_t>> class_labels(const Dataset& dataset, const BudgetSet& set) {
  constexpr std::uint16_t kLeftOut = 2;
  std::vector<std::uint16_t> labels;
  for (const std::string& name : dataset.class_names) {
    const bool is_negative = set.negative.empty() || is_listed(name, set.negative);
    labels.push_back(is_listed(name, set.positive) ? std::uint16_t(1)
                     : is_negative                 ? std::uint16_t(0)
                                                   : kLeftOut);
  }
  for (const int label : {0, 1})
    if (std::find(labels.begin(), labels.end(), label) == labels.end())
      return input_error("data set {}: found no class of those expected: {}", set.name,
                         label == 1 ? set.positive : set.negative);
  return labels;
}

// One column or pixel of the examples that are kept.
struct RawColumn {
  std::vector<float> values;
  bool is_nominal = false, is_pixel = false;
};

std::vector<float> sorted_values(const RawColumn& column) {
  std::vector<float> sorted;
  for (const float value : column.values)
    if (!std::isnan(value)) sorted.push_back(value);
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

// The values that questions are asked about.
std::vector<float> questions(const RawColumn& column, std::size_t max_cuts) {
  constexpr float kBrighterHalf = 128;
  if (column.is_pixel) return {kBrighterHalf};
  const std::vector<float> sorted = sorted_values(column);
  std::vector<float> values = sorted;
  values.erase(std::unique(values.begin(), values.end()), values.end());
  if (column.is_nominal || values.empty()) return values;
  values.erase(values.begin());
  if (max_cuts == 0 || values.size() <= max_cuts) return values;
  std::vector<float> cuts;
  for (std::size_t i = 1; i <= max_cuts; ++i) {
    const float value = sorted[sorted.size() * i / (max_cuts + 1)];
    if (value > sorted.front() && (cuts.empty() || value > cuts.back())) cuts.push_back(value);
  }
  return cuts;
}

void add_questions(const RawColumn& column, const BudgetSet& set, BinaryPool& pool) {
  const std::size_t num_examples = column.values.size();
  for (const float asked : questions(column, set.max_cuts)) {
    std::size_t num_yes = 0;
    for (const float value : column.values) {
      const bool is_yes = column.is_nominal ? value == asked : value >= asked;
      pool.bits.push_back(std::uint8_t(is_yes));
      num_yes += is_yes;
    }
    const std::size_t fewer = std::min(num_yes, num_examples - num_yes);
    if (fewer == 0 || double(fewer) < set.least_share * double(num_examples))
      pool.bits.resize(pool.bits.size() - num_examples);
    else
      ++pool.num_features;
  }
}

// 0 for the more frequent class.
void order_classes(BinaryPool& pool) {
  const auto num_ones = std::count(pool.labels.begin(), pool.labels.end(), 1);
  if (2 * std::size_t(num_ones) <= pool.num_examples()) return;
  for (std::uint16_t& label : pool.labels) label = std::uint16_t(1 - label);
}

}  // namespace

std::span<const BudgetSet> budget_sets() { return kSets; }

bool has_own_costs(const BudgetSet& set) { return set.format == "made"; }

Result<BinaryPool> make_binary(const Dataset& dataset, const BudgetSet& set) {
  MASH_ASSIGN(const std::vector<std::uint16_t> labels, class_labels(dataset, set));
  const bool is_table = dataset.is_table();
  const std::size_t num_columns = is_table ? dataset.column_names.size() : dataset.shape.num_bytes();
  BinaryPool pool;
  for (const Split* split : {&dataset.train, &dataset.test})
    for (const std::uint16_t label : split->labels)
      if (labels[label] < 2) pool.labels.push_back(labels[label]);
  for (std::size_t j = 0; j < num_columns; ++j) {
    RawColumn column;
    column.is_pixel = !is_table;
    column.is_nominal = is_table && !set.nominal.empty() && is_listed(dataset.column_names[j], set.nominal);
    for (const Split* split : {&dataset.train, &dataset.test})
      for (std::size_t n = 0; n < split->num_examples; ++n)
        if (labels[split->labels[n]] < 2)
          column.values.push_back(is_table ? split->values[n * num_columns + j]
                                           : float(split->pixels[n * num_columns + j]));
    add_questions(column, set, pool);
  }
  order_classes(pool);
  return pool;
}

Result<BinaryPool> load_budget_set(const BudgetSet& set, const WorkContext& work) {
  BinaryPool pool;
  if (has_own_costs(set)) {
    pool = draw_constructed();
    order_classes(pool);
  } else {
    auto dataset = set.format == "splice" ? read_splice(settings_of(set))
                                          : load_dataset(set.format, settings_of(set), 1, work);
    if (!dataset.ok()) return dataset.error();
    MASH_ASSIGN(pool, make_binary(*dataset, set));
  }
  if (pool.num_examples() <= set.num_train)
    return input_error("data set {}: found {} examples, expected more than the {} that a trial trains with",
                       set.name, pool.num_examples(), set.num_train);
  if (pool.num_features == 0)
    return input_error("data set {}: all of its columns are constant, expected one that is not", set.name);
  return pool;
}

FeatureCosts budget_costs(const BudgetSet& set, std::size_t num_features, std::uint64_t seed) {
  FamilyCosts family = random_costs(std::string(kBinaryFamily), std::uint32_t(num_features), seed);
  if (has_own_costs(set))
    for (std::size_t j = 0; j < num_features; ++j)
      family.features[j] = j == 0 ? kExpensiveCost : kOwnCosts[j % kOwnCosts.size()];
  return *FeatureCosts::make({std::move(family)});
}

}  // namespace mash
