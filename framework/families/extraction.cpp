// SPDX-License-Identifier: Apache-2.0
#include "framework/families/extraction.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <numeric>

#include "framework/base/hash.hpp"
#include "framework/base/require.hpp"
#include "framework/families/image_planes.hpp"
#include "framework/families/tile_walk.hpp"

namespace mash {
namespace {

// Both splits as one sequence: training examples, then test examples.
struct ExampleRef {
  const Split* split;
  std::size_t example_idx;
};
ExampleRef example_at(const Dataset& dataset, std::size_t i) {
  const std::size_t num_train = dataset.train.num_examples;
  return i < num_train ? ExampleRef{&dataset.train, i} : ExampleRef{&dataset.test, i - num_train};
}

Pictures examples_of(const Dataset& dataset, std::size_t begin, std::size_t end) {
  return {end - begin, [&dataset, begin](std::size_t place, ImagePlanes& planes) {
            const auto [split, example_idx] = example_at(dataset, begin + place);
            return planes.add_if_room(*split, example_idx);
          }};
}

// Fills a tile of the values: all features of up to kTileExamples images, handed over in smaller tiles.
Status extract_tile(const Dataset& dataset, HeuristicInstance& instance, std::size_t looks_back,
                    std::size_t tile_idx, ValuesFile& values) {
  const std::span<float> rows = values.tile(tile_idx);
  const std::size_t begin = tile_idx * ValuesFile::kTileExamples, dim = values.dim();
  TileWalk walk(dataset.shape, examples_of(dataset, begin, begin + rows.size() / dim), looks_back,
                tile_capacity(dataset.shape, looks_back));
  std::vector<std::uint32_t> numbers;
  while (walk.next()) {
    ImageTile tile = walk.tile();
    numbers.resize(tile.images.size());
    std::iota(numbers.begin(), numbers.end(), std::uint32_t(begin + walk.first() - tile.num_shown));
    tile.numbers = numbers;
    MASH_TRY(instance.extract(tile, {}, rows.subspan(walk.first() * dim, walk.size() * dim)).status);
  }
  return Done{};
}

void copy_columns(const Dataset& dataset, std::size_t tile_idx, ValuesFile& values) {
  const std::span<float> tile = values.tile(tile_idx);
  for (std::size_t i = 0; i * values.dim() < tile.size(); ++i) {
    const auto [split, example_idx] = example_at(dataset, tile_idx * ValuesFile::kTileExamples + i);
    std::copy_n(split->values.begin() + std::ptrdiff_t(example_idx * values.dim()), values.dim(),
                tile.begin() + std::ptrdiff_t(i * values.dim()));
  }
}

FeatureSummary summarise(std::span<const float> values, std::span<const std::uint8_t> train_codes,
                         const Thresholds& thresholds) {
  FeatureSummary summary;
  summary.hash = checksum(std::as_bytes(values.first(train_codes.size())));
  summary.num_thresholds = thresholds.size();
  summary.num_missing =
      std::uint32_t(std::count_if(values.begin(), values.end(), [](float x) { return std::isnan(x); }));
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

  void quantise(std::uint32_t first) {
    first_ = first;
    const std::uint32_t size = std::min(width_, values_.dim() - first);
    workers_.for_ranges(values_.num_tiles(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t tile_idx = begin; tile_idx < end; ++tile_idx) copy_tile(tile_idx, size);
    });
    workers_.for_blocks(size, kBlock, [&](std::size_t, std::size_t begin, std::size_t end) {
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
      for (std::size_t n = begin; n < end; ++n) {
        const float* row = values_.row(n).data() + first_;
        for (std::uint32_t j = block; j < block_end; ++j) columns_[j * num_examples + n] = row[j];
      }
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
    file_.writable_summary(feature_idx) = summarise(column, {train, num_train}, thresholds);
  }

  void write_rows(std::uint32_t first, std::uint32_t last) {
    std::array<const std::uint8_t*, kBlock> columns;
    for (std::uint32_t j = first; j < last; ++j) columns[j - first] = file_.train_column(j).data();
    for (std::size_t n = 0; n < file_.extent().num_train; ++n) {
      std::uint8_t* row = file_.writable_train_row(n) + first;
      for (std::uint32_t i = 0; i < last - first; ++i) row[i] = columns[i][n];
    }
  }

  const ValuesFile& values_;
  FamilyFile& file_;
  const Workers& workers_;
  std::uint32_t width_ = 0, first_ = 0;
  std::unique_ptr<float[]> columns_;  // width x num_examples
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

Result<std::uint32_t> family_dim(const FamilySpec& spec, const ExtractionContext& context) {
  if (spec.heuristic.id == kColumnsFamily) return std::uint32_t(context.dataset.column_names.size());
  MASH_ASSIGN(const auto instance,
              context.host.open(spec.heuristic, spec.values, context.dataset.shape.num_cameras));
  return instance->dim({context.dataset.shape.width, context.dataset.shape.height});
}

double measure_cost(const FamilySpec& spec, std::uint32_t dim, const ExtractionContext& context) {
  if (spec.heuristic.id == kColumnsFamily) return 0;
  const Dataset& dataset = context.dataset;
  const auto instance = context.host.open(spec.heuristic, spec.values, dataset.shape.num_cameras);
  if (!instance.ok()) return 0;
  std::vector<float> values(dim);
  ImagePlanes planes(dataset.shape);
  const Stopwatch watch;
  double microseconds = 0;
  for (std::size_t n = 0; n < std::min<std::size_t>(16, dataset.train.num_examples) && watch.seconds() < 0.2;
       ++n) {
    const mash_image_t& image = planes.show(dataset.train.image(n, dataset.shape));
    if (!(*instance)->extract(image, planes.view(), {}, values).ok()) break;
    microseconds = 1e6 * watch.seconds() / double(n + 1);
  }
  return microseconds;
}

Result<ExtractionWork> extract_values(const FamilySpec& spec, const ExtractionContext& context,
                                      ValuesFile& values) {
  InstancePool pool(context.host, spec.heuristic, spec.values, context.dataset.shape.num_cameras);
  const std::size_t looks_back = context.dataset.has_sequences() ? spec.heuristic.looks_back : 0;
  ExtractionWork work;
  std::mutex work_mutex;
  const auto extract = [&](std::size_t tile_idx) -> Status {
    const Stopwatch watch;
    if (spec.heuristic.id == kColumnsFamily) {
      copy_columns(context.dataset, tile_idx, values);
    } else {
      MASH_ASSIGN(auto instance, pool.take());
      MASH_TRY(extract_tile(context.dataset, *instance, looks_back, tile_idx, values));
      pool.give_back(std::move(instance));
    }
    values.mark_done(tile_idx);
    const std::lock_guard lock(work_mutex);
    work.thread_seconds += watch.seconds();
    work.num_images += values.tile(tile_idx).size() / values.dim();
    return Done{};
  };
  context.work.progress.start(fmt::format("extracting {}", spec.name), values.num_examples(), "images");
  const Status extracted = context.work.workers.try_each(
      values.num_tiles(), context.work.stop, [&](std::size_t tile_idx) -> Status {
        if (!values.is_done(tile_idx)) MASH_TRY(extract(tile_idx));
        values.forget(tile_idx);  // of the whole file, a tile a thread is in memory
        context.work.progress.advance(values.tile(tile_idx).size() / values.dim());
        return Done{};
      });
  context.work.progress.finish();
  if (context.work.stop.raised()) return Error{ErrorKind::kStopped, "stopped; what was extracted is kept"};
  MASH_TRY(extracted);
  return work;
}

void quantise(const ValuesFile& values, const Workers& workers, FamilyFile& file, std::size_t band_bytes) {
  require(file.extent().num_train > 0, "quantise: at least one example");
  Band band(values, file, workers, band_bytes);
  for (std::uint32_t first = 0; first < values.dim(); first += band.width()) band.quantise(first);
}

}  // namespace mash
