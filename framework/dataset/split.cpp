// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/split.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "framework/base/number.hpp"
#include "framework/base/random.hpp"
#include "framework/dataset/held_out.hpp"

namespace mash {
namespace {

using Indices = std::vector<std::size_t>;

constexpr double kDefaultTrainFraction = 0.8;

Result<std::optional<Amount>> read_amount(Settings& settings, std::string_view key) {
  MASH_ASSIGN(const std::string text, settings.text(key, "", Settings::Kind::kAmount));
  if (!settings.has(key)) return std::optional<Amount>();
  const auto count = number_in<std::size_t>(text);
  if (count && *count >= 1) {
    settings.holds(key, fmt::format("{}", *count));
    return std::optional<Amount>(*count);
  }
  constexpr std::string_view kPerClass = " per class";
  if (text.ends_with(kPerClass)) {
    const auto each =
        number_in<std::size_t>(std::string_view(text).substr(0, text.size() - kPerClass.size()));
    if (each && *each >= 1) {
      settings.holds(key, fmt::format("{}{}", *each, kPerClass));
      return std::optional<Amount>(PerClass{*each});
    }
  }
  const auto fraction = number_in<double>(text);
  if (!count && fraction && *fraction > 0 && *fraction <= 1) {
    settings.holds(key, fmt::format("share {}", *fraction));  // "1.0" is all, "1" is one
    return std::optional<Amount>(*fraction);
  }
  MASH_TRY(settings.refuse(settings.unexpected(
      key, "a number of examples (60000), a fraction (0.8) or a number of each class (30 per class)")));
  return std::optional<Amount>();
}

// REQUIRES: a count or a fraction.
std::size_t num_asked(const Amount& amount, std::size_t num_examples) {
  if (const auto* count = std::get_if<std::size_t>(&amount)) return *count;
  return std::size_t(std::llround(std::get<double>(amount) * double(num_examples)));
}

// Both may round up, as halves of an odd number do.
bool add_up_to_all(const Amount& train, const Amount& test) {
  const double* train_fraction = std::get_if<double>(&train);
  const double* test_fraction = std::get_if<double>(&test);
  return train_fraction && test_fraction && std::abs(*train_fraction + *test_fraction - 1) < 1e-9;
}

Indices all_of(const Split& split) {
  Indices all(split.num_examples);
  std::iota(all.begin(), all.end(), std::size_t(0));
  return all;
}

// How many of each class to take so that they are `total` in all: the exact shares rounded down, the rest to
// the largest remainders (the earlier class first).
std::vector<std::size_t> shares(std::span<const Indices> members, std::size_t num_candidates,
                                std::size_t total) {
  std::vector<std::size_t> share(members.size());
  std::vector<std::pair<double, std::size_t>> remainders;
  std::size_t num_given = 0;
  for (std::size_t class_idx = 0; class_idx < members.size(); ++class_idx) {
    const double exact = double(members[class_idx].size()) * double(total) / double(num_candidates);
    share[class_idx] = std::min(std::size_t(exact), members[class_idx].size());
    num_given += share[class_idx];
    if (share[class_idx] < members[class_idx].size())
      remainders.emplace_back(double(share[class_idx]) - exact, class_idx);
  }
  std::sort(remainders.begin(), remainders.end());
  for (std::size_t i = 0; i < remainders.size() && num_given < total; ++i, ++num_given)
    ++share[remainders[i].second];
  return share;
}

// Whether an example goes where the one before it goes, as images of a sequence do.
bool follows(const Split& split, std::size_t example_idx) {
  return !split.frames.empty() && split.frames[example_idx].place > 0;
}

// The candidates that others follow, or that stand alone.
Indices heads_of(const Split& split, const Indices& candidates) {
  Indices heads;
  for (const std::size_t example_idx : candidates)
    if (!follows(split, example_idx)) heads.push_back(example_idx);
  return heads;
}

// The heads of each class.
std::vector<Indices> by_class(const Split& split, const Indices& heads) {
  std::vector<Indices> members;
  for (const std::size_t example_idx : heads) {
    const std::size_t class_idx = split.labels[example_idx];
    if (members.size() <= class_idx) members.resize(class_idx + 1);
    members[class_idx].push_back(example_idx);
  }
  return members;
}

// The share of each class, and all examples that follow them, ascending. REQUIRES: each share <= its members.
Indices choose_shares(const Split& split, std::vector<Indices> members, std::span<const std::size_t> share,
                      RandomStream stream) {
  Indices chosen;
  for (std::size_t class_idx = 0; class_idx < members.size(); ++class_idx) {
    stream.shuffle(std::span(members[class_idx]));
    for (std::size_t i = 0; i < share[class_idx]; ++i) {
      std::size_t example_idx = members[class_idx][i];
      do chosen.push_back(example_idx++);
      while (example_idx < split.num_examples && follows(split, example_idx));
    }
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

// As many of the heads, with the classes in their proportions, and all examples that follow them.
Indices choose_in_proportion(const Split& split, const Indices& heads, std::size_t total,
                             RandomStream stream) {
  std::vector<Indices> members = by_class(split, heads);
  const std::vector<std::size_t> share = shares(members, heads.size(), total);
  return choose_shares(split, std::move(members), share, stream);
}

Result<Indices> choose_per_class(const Split& split, const Indices& heads, const PerClass& amount,
                                 const std::vector<std::string>& class_names, RandomStream stream) {
  std::vector<Indices> members = by_class(split, heads);
  std::vector<std::size_t> share;
  for (std::size_t class_idx = 0; class_idx < members.size(); ++class_idx) {
    const std::size_t num_members = members[class_idx].size();
    if (num_members < amount.count && !amount.at_most && num_members > 0)
      return input_error("class '{}': found {} examples, expected the {} asked for", class_names[class_idx],
                         num_members, amount.count);
    share.push_back(std::min(amount.count, num_members));
  }
  return choose_shares(split, std::move(members), share, stream);
}

// `amount` of the candidates, which are those of the split or the rest of them; fractions are of all of the
// split: of its examples or, where it has sequences, of these.
Result<Indices> choose(const Split& split, const Indices& candidates, const Amount& amount,
                       const std::vector<std::string>& class_names, RandomStream stream) {
  if (const auto* count = std::get_if<std::size_t>(&amount)) {
    if (*count > candidates.size())
      return input_error("found {} examples, expected the {} asked for", candidates.size(), *count);
    return Indices(candidates.begin(), candidates.begin() + std::ptrdiff_t(*count));
  }
  const Indices heads = heads_of(split, candidates);
  if (const auto* per_class = std::get_if<PerClass>(&amount))
    return choose_per_class(split, heads, *per_class, class_names, stream);
  const std::size_t num_in_all = heads_of(split, all_of(split)).size();
  const std::size_t total = num_asked(amount, num_in_all);
  const std::string_view what = split.frames.empty() ? "example" : "sequence";
  if (total > heads.size())
    return input_error("found {} {}s, expected the {} asked for", heads.size(), what, total);
  if (total == 0)
    return input_error("found {} {}{}, expected more, as this fraction of them is less than one", num_in_all,
                       what, num_in_all == 1 ? "" : "s");
  return choose_in_proportion(split, heads, total, stream);
}

template <class Rows>
Rows take_rows(const Rows& rows, const Indices& chosen, std::size_t row_size) {
  Rows taken;
  if (rows.empty()) return taken;
  taken.reserve(chosen.size() * row_size);
  for (const std::size_t i : chosen)
    taken.insert(taken.end(), rows.begin() + std::ptrdiff_t(i * row_size),
                 rows.begin() + std::ptrdiff_t((i + 1) * row_size));
  return taken;
}

Split take(const Split& split, const Indices& chosen, const Dataset& dataset) {
  Split taken;
  taken.num_examples = chosen.size();
  taken.pixels = take_rows(split.pixels, chosen, dataset.shape.num_bytes());
  taken.values = take_rows(split.values, chosen, dataset.column_names.size());
  taken.labels = take_rows(split.labels, chosen, 1);
  taken.groups = take_rows(split.groups, chosen, 1);
  taken.frames = take_rows(split.frames, chosen, 1);
  taken.files = take_rows(split.files, chosen, 1);
  taken.rows = take_rows(split.rows, chosen, 1);
  taken.listed = take_rows(split.listed, chosen, 1);
  return taken;
}

Status cut_side(const std::optional<Amount>& amount, const std::string& where, RandomStream stream,
                const Dataset& dataset, Split& side) {
  if (!amount) return Done{};
  Result<Indices> chosen = choose(side, all_of(side), *amount, dataset.class_names, stream);
  if (!chosen.ok()) return chosen.error().at(where);
  if (chosen->size() < side.num_examples) side = take(side, *chosen, dataset);
  return Done{};
}

// The amount for training where the user only said the amount for testing, or none. num_examples: or
// sequences.
Result<Amount> train_amount(const SplitRequest& request, const Split& pool) {
  if (request.train) return *request.train;
  const bool counts_examples = request.test && std::holds_alternative<std::size_t>(*request.test);
  const std::size_t num_examples = counts_examples ? pool.num_examples : heads_of(pool, all_of(pool)).size();
  if (!request.test) {
    // However few there are, one is left for testing.
    const std::size_t num_train = std::min(num_asked(kDefaultTrainFraction, num_examples), num_examples - 1);
    return Amount(double(num_train) / double(num_examples));
  }
  const std::size_t num_test = num_asked(*request.test, num_examples);
  if (num_test >= num_examples)
    return input_error("{}: found {} examples in all, expected more than the {} asked for",
                       request.test_where, num_examples, num_test);
  if (std::holds_alternative<std::size_t>(*request.test)) return Amount(num_examples - num_test);
  return Amount(double(num_examples - num_test) / double(num_examples));
}

// Whether a count divides between sequences. first: the first example that is not for training.
Status check_cut(const SplitRequest& request, const Split& pool, std::size_t first) {
  if (!follows(pool, first)) return Done{};
  const std::size_t before = first - pool.frames[first].place;
  std::size_t after = first;
  while (after < pool.num_examples && follows(pool, after)) ++after;
  return input_error(
      "{}: found {} examples for training, which end within a sequence, expected {}{} or a fraction",
      request.train ? request.train_where : request.test_where, first,
      before > 0 ? fmt::format("{}, ", before) : "", after);
}

// The training examples of a pool that is to be divided.
Result<Indices> choose_train(const SplitRequest& request, std::uint64_t seed, const Split& pool,
                             const std::vector<std::string>& class_names) {
  if (!request.train && request.test && std::holds_alternative<PerClass>(*request.test)) {
    MASH_ASSIGN(const Indices test,
                choose(pool, all_of(pool), *request.test, class_names, RandomStream(seed, "split.test")));
    Indices train;
    const Indices all = all_of(pool);
    std::set_difference(all.begin(), all.end(), test.begin(), test.end(), std::back_inserter(train));
    if (train.empty())
      return input_error("{}: found {} examples in all, expected some more to train on", request.test_where,
                         pool.num_examples);
    return train;
  }
  MASH_ASSIGN(const Amount amount, train_amount(request, pool));
  Result<Indices> train = choose(pool, all_of(pool), amount, class_names, RandomStream(seed, "split.train"));
  if (!train.ok()) return train.error().at(request.train_where);
  const bool is_count = std::holds_alternative<std::size_t>(amount);
  if (is_count && train->size() < pool.num_examples) MASH_TRY(check_cut(request, pool, train->size()));
  return train;
}

Status divide(const SplitRequest& request, std::uint64_t seed, Dataset& dataset) {
  const Split pool = std::move(dataset.train);
  MASH_ASSIGN(const Indices train, choose_train(request, seed, pool, dataset.class_names));
  Indices rest;
  const Indices all = all_of(pool);
  std::set_difference(all.begin(), all.end(), train.begin(), train.end(), std::back_inserter(rest));
  if (rest.empty())
    return input_error("{}: found {} examples, expected some more to test on", request.train_where,
                       pool.num_examples);
  const bool takes_rest = !request.test || !request.train || add_up_to_all(*request.train, *request.test);
  Result<Indices> test =
      takes_rest ? Result<Indices>(rest)
                 : choose(pool, rest, *request.test, dataset.class_names, RandomStream(seed, "split.test"));
  if (!test.ok()) return test.error().at(request.test_where);

  dataset.train = take(pool, train, dataset);
  dataset.test = take(pool, *test, dataset);
  if (!request.train && !request.test)
    dataset.warnings.push_back(
        fmt::format("no published test side: {} of the {} examples, chosen by the seed, are for testing",
                    test->size(), pool.num_examples));
  return Done{};
}

}  // namespace

Status check_count(const std::optional<Amount>& amount, const std::string& where) {
  if (!amount) return Done{};
  const auto* count = std::get_if<std::size_t>(&*amount);
  const std::string found = count ? fmt::format("found '{}'", *count) : "found a part";
  if (!count || *count > kMaxGenerated)
    return input_error("{}: {}, expected a number of examples to make, from 1 to {}", where, found,
                       kMaxGenerated);
  return Done{};
}

std::size_t count_of(const std::optional<Amount>& amount, std::size_t fallback) {
  return amount ? std::get<std::size_t>(*amount) : fallback;
}

Result<SplitRequest> read_split_request(Settings& settings) {
  SplitRequest request;
  MASH_ASSIGN(request.train, read_amount(settings, "train"));
  MASH_ASSIGN(request.test, read_amount(settings, "test"));
  if (auto* per_class = request.test ? std::get_if<PerClass>(&*request.test) : nullptr)
    per_class->at_most = true;
  if (request.train) request.train_where = settings.where("train") + ": train";
  if (request.test) request.test_where = settings.where("test") + ": test";
  return request;
}

Status apply_split(const SplitRequest& request, std::uint64_t seed, Dataset& dataset) {
  if (dataset.test.num_examples == 0) return divide(request, seed, dataset);
  MASH_TRY(cut_side(request.train, request.train_where, RandomStream(seed, "split.train"), dataset,
                    dataset.train));
  return cut_side(request.test, request.test_where, RandomStream(seed, "split.test"), dataset, dataset.test);
}

Status hold_out(double fraction, std::uint64_t seed, Dataset& dataset) {
  SplitRequest request;
  request.train = 1 - fraction;
  request.train_where = "validation";
  return divide(request, seed, dataset);
}

Dataset part_of_training(const Dataset& dataset, std::size_t num_examples, std::uint64_t seed) {
  const Split& side = dataset.train;
  const Indices heads = heads_of(side, all_of(side));
  const double share = std::min(1.0, double(num_examples) / double(side.num_examples));
  const auto total = std::max<std::size_t>(1, std::size_t(std::llround(share * double(heads.size()))));
  const Indices chosen =
      choose_in_proportion(side, heads, total, RandomStream(seed, "split.part_of_training"));
  Dataset part;
  part.name = dataset.name;
  part.class_names = dataset.class_names;
  part.shape = dataset.shape;
  part.column_names = dataset.column_names;
  part.category_names = dataset.category_names;
  part.label_name = dataset.label_name;
  part.missing = dataset.missing;
  part.judging_side = dataset.judging_side;
  part.sources = dataset.sources;
  part.num_listed = listed_examples(dataset);
  part.train = take(side, chosen, dataset);
  if (part.train.listed.empty()) part.train.listed.assign(chosen.begin(), chosen.end());
  return part;
}

Result<TestPart> read_test_part(Settings& settings) {
  constexpr std::array kParts{Choice{"all", TestPart::kAll}, Choice{"public", TestPart::kPublic},
                              Choice{"private", TestPart::kPrivate}};
  return settings.one_of("test_part", TestPart::kAll, kParts);
}

Status keep_test_part(TestPart part, Dataset& dataset) {
  if (part == TestPart::kAll) return Done{};
  const std::vector<std::uint32_t> hidden = private_part(dataset);
  Indices kept(hidden.begin(), hidden.end());
  if (part == TestPart::kPublic) {
    kept.clear();
    const Indices all = all_of(dataset.test);
    std::set_difference(all.begin(), all.end(), hidden.begin(), hidden.end(), std::back_inserter(kept));
  }
  if (kept.empty())
    return input_error("test_part: found {} test examples, of which none are in this part",
                       dataset.test.num_examples);
  Split whole = std::exchange(dataset.test, take(dataset.test, kept, dataset));
  // Those who see a public leaderboard are not to know which pictures judge there.
  if (part == TestPart::kPrivate) {
    dataset.test.files.clear();
    dataset.test.rows.clear();
  }
  if (!whole.has_a_file_each()) return Done{};
  std::vector<bool> forgotten(dataset.sources.size());
  for (const std::uint32_t file : whole.files) forgotten[file] = true;
  for (const Split* side : {&dataset.train, &dataset.test})
    for (const std::uint32_t file : side->files) forgotten[file] = false;
  drop_sources(forgotten, dataset);
  return Done{};
}

}  // namespace mash
