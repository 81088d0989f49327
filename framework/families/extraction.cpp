// SPDX-License-Identifier: Apache-2.0
#include "framework/families/extraction.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <memory>
#include <numeric>

#include "framework/base/hash.hpp"
#include "framework/base/require.hpp"
#include "framework/base/transpose.hpp"
#include "framework/families/image_planes.hpp"
#include "framework/families/secret_order.hpp"
#include "framework/families/tile_walk.hpp"

namespace mash {
namespace {

// The error of an example with its name, where it comes from a file.
Error of_example(const Dataset& dataset, std::uint32_t example, Error error) {
  if (error.kind == ErrorKind::kStopped) return error;
  const auto [split, example_idx] = example_at(dataset, example);
  const std::string name = example_name(dataset, *split, example_idx);
  if (!name.empty()) error.message += fmt::format(" (picture {})", name);
  return error;
}

// The examples of a part.
std::span<const std::uint32_t> part_of(std::span<const std::uint32_t> order, std::size_t part_idx) {
  const std::size_t begin = part_idx * ValuesFile::kTileExamples;
  return order.subspan(begin, std::min(ValuesFile::kTileExamples, order.size() - begin));
}

// Computes all features of a part, whose images are handed over in smaller tiles. Returns its sum. place:
// where its values belong, one row after the other; empty where they lie all over the file.
Result<std::uint64_t> extract_part(const Dataset& dataset, HeuristicInstance& instance,
                                   std::size_t looks_back, std::span<const std::uint32_t> examples,
                                   std::span<float> place, ValuesFile& values) {
  const std::size_t dim = values.dim();
  TileWalk walk(dataset.shape, pictures_of(dataset, examples), looks_back,
                std::min(tile_capacity(dataset.shape, looks_back), rows_at_once(dim)));
  std::vector<std::uint32_t> numbers;
  std::vector<float> elsewhere;
  std::uint64_t sum = 0;
  while (walk.next()) {
    ImageTile tile = walk.tile();
    numbers.resize(tile.images.size());
    const auto wanted = examples.subspan(walk.first(), walk.size());
    std::iota(numbers.begin(), numbers.end(), wanted.front() - std::uint32_t(tile.num_shown));
    std::copy(wanted.begin(), wanted.end(), numbers.begin() + std::ptrdiff_t(tile.num_shown));
    tile.numbers = numbers;
    if (place.empty()) elsewhere.resize(walk.size() * dim);
    const std::span<float> rows =
        place.empty() ? std::span(elsewhere) : place.subspan(walk.first() * dim, walk.size() * dim);
    const TileResult extracted = instance.extract(tile, {}, rows);
    if (!extracted.status.ok())
      return of_example(dataset, wanted[std::min(extracted.num_done, wanted.size() - 1)],
                        extracted.status.error());
    for (std::size_t i = 0; i < wanted.size(); ++i)
      MASH_TRY(values.write_row(wanted[i], rows.subspan(i * dim, dim), sum));
  }
  return sum;
}

// Writes the rows that are kept, and gives the examples that have none.
Result<std::vector<std::uint32_t>> copy_kept(const KeptRows& kept, std::span<const std::uint32_t> examples,
                                             ValuesFile& values) {
  std::vector<std::uint32_t> missing;
  std::vector<float> row(values.dim());
  std::uint64_t unused = 0;
  for (const std::uint32_t example : examples) {
    if (kept.copy(example, row))
      MASH_TRY(values.write_row(example, row, unused));
    else
      missing.push_back(example);
  }
  return missing;
}

// The sum of the rows of a part, which are all written.
Result<std::uint64_t> sum_of_rows(std::span<const std::uint32_t> examples, ValuesFile& values) {
  std::uint64_t sum = 0;
  for (const std::uint32_t example : examples) MASH_TRY(values.write_row(example, values.row(example), sum));
  return sum;
}

Result<std::uint64_t> copy_columns(const FamilySpec& spec, const Dataset& dataset,
                                   std::span<const std::uint32_t> examples, ValuesFile& values) {
  std::uint64_t sum = 0;
  for (const std::uint32_t example : examples) {
    if (spec.columns) {
      MASH_TRY(values.write_row(example, spec.columns->row(example), sum));
      continue;
    }
    const auto [split, example_idx] = example_at(dataset, example);
    const auto row = std::span(split->values).subspan(example_idx * values.dim(), values.dim());
    MASH_TRY(values.write_row(example, row, sum));
  }
  return sum;
}

// Writes the parts of values in memory to their file once extraction takes long, or is stopped: then the next
// one goes on with them.
class PartKeeper {
 public:
  PartKeeper(ValuesFile& values, std::span<const std::uint32_t> order) : values_(values), order_(order) {}

  // [any thread] A part is done.
  Status done(std::size_t part_idx) {
    if (!values_.is_in_memory()) return Done{};
    const std::lock_guard lock(mutex_);
    waiting_.push_back(part_idx);
    return watch_.seconds() < kSecondsWithoutFile ? Status(Done{}) : keep_waiting();
  }
  // The extraction has ended. Where the heuristic itself is at fault, its values are not gone on with.
  Status end(const Status& extracted, bool is_stopped) {
    if (is_stopped || (!extracted.ok() && extracted.error().kind != ErrorKind::kInput))
      MASH_TRY(keep_waiting());
    if (is_stopped) return Error{ErrorKind::kStopped, "stopped; what was extracted is kept"};
    return extracted;
  }

 private:
  static constexpr double kSecondsWithoutFile = 10;  // that a process which is killed may lose

  Status keep_waiting() {
    for (; !waiting_.empty(); waiting_.pop_back())
      MASH_TRY(values_.keep(waiting_.back(), part_of(order_, waiting_.back())));
    return Done{};
  }

  ValuesFile& values_;
  std::span<const std::uint32_t> order_;
  const Stopwatch watch_;
  std::mutex mutex_;
  std::vector<std::size_t> waiting_;  // done and not written
};

constexpr std::size_t kMostTimedAtOnce = 16;  // images of measure_cost
constexpr double kSecondsOfARound = 0.2, kSecondsOfAllRounds = 1;

// Shows an instance the next images of a walk, at most `most` and for a fifth of a second, and returns their
// number, without those at which it fails.
std::size_t show_some(HeuristicInstance& instance, TileWalk& walk, std::uint32_t dim, std::size_t most) {
  std::vector<float> values;
  std::size_t num_shown = 0;
  for (const Stopwatch watch; num_shown < most && watch.seconds() < kSecondsOfARound && walk.next();) {
    values.resize(walk.size() * dim);
    if (!instance.extract(walk.tile(), {}, values).status.ok()) break;
    num_shown = walk.first() + walk.size();
  }
  return num_shown;
}

std::uint32_t count_nan(std::span<const float> values) {
  return std::uint32_t(std::count_if(values.begin(), values.end(), [](float x) { return std::isnan(x); }));
}

FeatureSummary summarise(std::span<const float> values, std::span<const std::uint8_t> train_codes,
                         const Thresholds& thresholds) {
  FeatureSummary summary;
  summary.hash = checksum(std::as_bytes(values.first(train_codes.size())));
  summary.num_thresholds = thresholds.size();
  summary.num_missing = count_nan(values);
  std::array<std::uint32_t, 256> counts{};
  for (const std::uint8_t code : train_codes) ++counts[code];
  const auto mode = std::max_element(counts.begin(), counts.end());
  summary.mode_code = std::uint32_t(mode - counts.begin());
  summary.mode_count = *mode;
  return summary;
}

// A run of features [first, first + width) of all examples, held column by column in memory.
class Band {
 public:
  // bytes: of a thread, which gets as many blocks of features as any other.
  Band(const ValuesFile& values, FamilyFile& file, const Workers& workers, std::size_t bytes)
      : values_(values), file_(file), workers_(workers) {
    const std::size_t block_bytes = kBlock * values.num_examples() * sizeof(float);
    const std::size_t num_blocks =
        std::size_t(workers.num_threads()) * std::max<std::size_t>(bytes / block_bytes, 1);
    width_ = std::uint32_t(std::min<std::size_t>(values.dim(), num_blocks * kBlock));
    columns_ = std::make_unique_for_overwrite<float[]>(width_ * values.num_examples());
  }

  std::uint32_t width() const { return width_; }
  // Missing values of the training side, in all features that were quantised.
  std::uint64_t num_missing_in_training() const { return num_missing_in_training_; }

  void quantise(std::uint32_t first) {
    first_ = first;
    const std::uint32_t size = std::min(width_, values_.dim() - first);
    workers_.for_ranges(values_.num_tiles(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t tile_idx = begin; tile_idx < end; ++tile_idx) copy_tile(tile_idx, size);
    });
    workers_.for_blocks(size, kBlock, [&](std::size_t, std::size_t begin, std::size_t end) {
      file_.prepare_columns(std::uint32_t(first + begin), std::uint32_t(end - begin));
      std::vector<float> sorted(file_.extent().num_train);
      for (std::size_t j = begin; j < end; ++j) quantise_one(std::uint32_t(first + j), sorted);
      write_rows(std::uint32_t(first + begin), std::uint32_t(first + end));
    });
  }

 private:
  // Features copied and written together: two cache lines of values.
  static constexpr std::size_t kBlock = 32;

  void copy_tile(std::size_t tile_idx, std::uint32_t size) {
    const std::size_t num_examples = values_.num_examples(), begin = tile_idx * ValuesFile::kTileExamples,
                      end = std::min(begin + ValuesFile::kTileExamples, num_examples);
    for (std::uint32_t block = 0; block < size; block += kBlock) {
      const std::uint32_t block_end = std::min<std::uint32_t>(block + kBlock, size);
      transpose({values_.row(begin).data() + first_ + block, values_.dim()}, end - begin, block_end - block,
                {&columns_[block * num_examples + begin], num_examples});
    }
    values_.forget(tile_idx);
  }

  void quantise_one(std::uint32_t feature_idx, std::span<float> sorted) {
    const std::size_t num_train = file_.extent().num_train, num_examples = values_.num_examples();
    const std::span<const float> column(&columns_[(feature_idx - first_) * num_examples], num_examples);
    std::copy_n(column.begin(), num_train, sorted.begin());
    const Thresholds thresholds = choose_thresholds(sorted);
    std::uint8_t* train = file_.writable_train_column(feature_idx);
    std::uint8_t* test = file_.writable_test_column(feature_idx);
    thresholds.find_codes(column.first(num_train), train);
    thresholds.find_codes(column.subspan(num_train), test);
    file_.set_thresholds(feature_idx, thresholds);
    const FeatureSummary summary = summarise(column, {train, num_train}, thresholds);
    file_.writable_summary(feature_idx) = summary;
    if (summary.num_missing > 0) num_missing_in_training_ += count_nan(column.first(num_train));
  }

  void write_rows(std::uint32_t first, std::uint32_t last) {
    transpose({file_.train_column(first).data(), file_.train_stride()}, last - first,
              file_.extent().num_train, {file_.writable_train_row(0) + first, file_.extent().dim});
  }

  const ValuesFile& values_;
  FamilyFile& file_;
  const Workers& workers_;
  std::uint32_t width_ = 0, first_ = 0;
  std::unique_ptr<float[]> columns_;  // width x num_examples
  std::atomic<std::uint64_t> num_missing_in_training_ = 0;
};

}  // namespace

Result<std::unique_ptr<HeuristicInstance>> InstancePool::take() {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      auto instance = std::move(idle_.back());
      idle_.pop_back();
      return instance;
    }
  }
  return host_.open(heuristic_, values_, num_cameras_);
}

void InstancePool::give_back(std::unique_ptr<HeuristicInstance> instance) {
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(instance));
}

Error given_values_error(const FamilySpec& spec) {
  return input_error(
      "found columns of a file, {}, which are given for the pictures of a data set; expected a heuristic, "
      "which has values for any picture",
      spec.heuristic.plugin.string());
}

Status match_columns(std::span<FamilySpec> specs, const Dataset& dataset) {
  for (FamilySpec& spec : specs) {
    if (!has_given_columns(spec.heuristic.id) || spec.columns) continue;
    MASH_ASSIGN(ColumnTable table, read_column_table(spec.heuristic.plugin));
    auto columns = GivenColumns::match(std::move(table), dataset);
    if (!columns.ok()) return columns.error().at(spec.heuristic.plugin.string());
    spec.heuristic.plugin_sha256 = columns->sha256();
    spec.columns = std::make_shared<const GivenColumns>(*std::move(columns));
  }
  return Done{};
}

Result<std::vector<FamilySpec>> families_for(std::span<const FamilySpec> specs, const Dataset& dataset) {
  std::vector<FamilySpec> matched(specs.begin(), specs.end());
  for (FamilySpec& spec : matched) spec.columns = nullptr;
  MASH_TRY(match_columns(matched, dataset));
  return matched;
}

Result<std::uint32_t> family_dim(const FamilySpec& spec, const ExtractionContext& context) {
  if (spec.heuristic.id == kColumnsFamily) return std::uint32_t(context.dataset.column_names.size());
  if (spec.is_given()) {
    if (!spec.columns) return given_values_error(spec);
    return spec.columns->dim();
  }
  MASH_ASSIGN(const auto instance,
              context.host.open(spec.heuristic, spec.values, context.dataset.shape.num_cameras));
  instance->heed(context.work.stop);
  return instance->dim({context.dataset.shape.width, context.dataset.shape.height});
}

ExtractionCost measure_cost(const FamilySpec& spec, std::uint32_t dim, const ExtractionContext& context,
                            std::size_t num_rounds) {
  ExtractionCost found;
  if (spec.is_given()) return found;
  const Dataset& dataset = context.dataset;
  const Stopwatch since_open;
  const auto instance = context.host.open(spec.heuristic, spec.values, dataset.shape.num_cameras);
  if (!instance.ok()) return found;
  const std::size_t num_train = dataset.train.num_examples;
  std::size_t count = std::min<std::size_t>(kMostTimed, num_train);
  std::vector<std::uint32_t> examples(count);
  for (std::size_t i = 0; i < count; ++i)
    examples[i] = std::uint32_t(dataset.train.frames.empty() ? i * num_train / count : i);
  const std::size_t looks_back = dataset.has_sequences() ? spec.heuristic.looks_back : 0;
  const std::size_t capacity =
      std::min({tile_capacity(dataset.shape, looks_back), rows_at_once(dim), kMostTimedAtOnce});
  (*instance)->heed(context.work.stop);
  {
    TileWalk first(dataset.shape, pictures_of(dataset.train, std::span(examples).first(1)), looks_back, 1);
    if (show_some(**instance, first, dim, 1) == 0) return found;
  }
  const double of_first = since_open.seconds();
  const Stopwatch watch;
  for (std::size_t round = 0; round < num_rounds && watch.seconds() < kSecondsOfAllRounds; ++round) {
    TileWalk walk(dataset.shape, pictures_of(dataset.train, examples), looks_back, capacity);
    const CostWatch cost(**instance);
    const std::size_t num_shown = show_some(**instance, walk, dim, count);
    if (num_shown == 0) break;
    const double of_round = 1e6 * cost.seconds() / double(num_shown);
    found.microseconds = round == 0 ? of_round : std::min(found.microseconds, of_round);
    count = num_shown;  // the same in each round
  }
  found.setup_seconds = std::max(0.0, of_first - 1e-6 * found.microseconds);
  return found;
}

Result<ExtractionWork> extract_values(const FamilySpec& spec, const ExtractionContext& context,
                                      ValuesFile& values, const KeptRows* kept) {
  InstancePool pool(context.host, spec.heuristic, spec.values, context.dataset.shape.num_cameras);
  const std::size_t looks_back = context.dataset.has_sequences() ? spec.heuristic.looks_back : 0;
  const bool in_place = values.secret() == ValuesFile::kNoSecret;
  std::vector<std::uint32_t> order(values.num_examples());
  if (in_place)
    std::iota(order.begin(), order.end(), 0u);
  else
    order = secret_order(context.dataset, values.secret());
  PartKeeper keeper(values, order);
  ExtractionWork work;
  std::mutex work_mutex;
  const auto extract = [&](std::size_t part_idx, std::span<const std::uint32_t> examples) -> Status {
    double seconds = 0;
    std::uint64_t sum = 0;
    std::vector<std::uint32_t> missing;
    if (kept) {
      MASH_ASSIGN(missing, copy_kept(*kept, examples, values));
    }
    const bool is_whole = !kept || missing.size() == examples.size();
    const std::span<const std::uint32_t> wanted =
        is_whole ? examples : std::span<const std::uint32_t>(missing);
    if (spec.is_given()) {
      MASH_ASSIGN(sum, copy_columns(spec, context.dataset, examples, values));
    } else if (!wanted.empty()) {
      MASH_ASSIGN(auto instance, pool.take());
      instance->heed(context.work.stop);
      const CostWatch watch(*instance);
      const std::span<float> place = in_place && is_whole ? values.tile(part_idx) : std::span<float>();
      MASH_ASSIGN(sum, extract_part(context.dataset, *instance, looks_back, wanted, place, values));
      seconds = watch.seconds();
      pool.give_back(std::move(instance));
    }
    if (!is_whole) {
      MASH_ASSIGN(sum, sum_of_rows(examples, values));
    }
    values.mark_done(part_idx, sum);
    MASH_TRY(keeper.done(part_idx));
    if (in_place) values.forget(part_idx);
    const std::lock_guard lock(work_mutex);
    work.processor_seconds += seconds;
    work.num_images += wanted.size();
    return Done{};
  };
  context.work.progress.start(fmt::format("extracting {}", spec.name), values.num_examples(), "images");
  const Status extracted = context.work.workers.try_each(values.num_tiles(), context.work.stop,
                                                         [&](std::size_t part_idx) -> Status {
                                                           const auto examples = part_of(order, part_idx);
                                                           if (!values.is_done(part_idx, examples))
                                                             MASH_TRY(extract(part_idx, examples));
                                                           context.work.progress.advance(examples.size());
                                                           return Done{};
                                                         });
  values.forget();  // parts that were there already were read
  context.work.progress.finish();
  MASH_TRY(keeper.end(extracted, context.work.stop.raised()));
  return work;
}

std::uint64_t quantise(const ValuesFile& values, const Workers& workers, FamilyFile& file,
                       std::size_t band_bytes) {
  require(file.extent().num_train > 0, "quantise: at least one example");
  // A file is read once more by each band, so they are few; in memory they are small, to stay in cache.
  Band band(values, file, workers, values.is_in_memory() ? 0 : band_bytes);
  workers.for_blocks(
      file.extent().num_train, ValuesFile::kTileExamples,
      [&](std::size_t, std::size_t begin, std::size_t end) { file.prepare_rows(begin, end - begin); });
  for (std::uint32_t first = 0; first < values.dim(); first += band.width()) band.quantise(first);
  return band.num_missing_in_training();
}

}  // namespace mash
