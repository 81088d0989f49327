// SPDX-License-Identifier: Apache-2.0
#include "framework/families/stored_family.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "framework/base/amounts.hpp"
#include "framework/base/bounded_json.hpp"
#include "framework/base/hash.hpp"
#include "framework/base/machine.hpp"
#include "framework/base/require.hpp"
#include "framework/base/store_lock.hpp"
#include "framework/families/by_content/store_setting.hpp"
#include "framework/families/computed_again.hpp"
#include "framework/families/store_content.hpp"

namespace mash {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

constexpr const char* kCodesFile = "codes.mash";
constexpr const char* kValuesFile = "values.part";

// Accesses between the request for a line and its use. The request is for the second-level cache: there may
// be more of them under way than for the first, which doubles the rate.
constexpr std::size_t kAhead = 64;
void prefetch(const std::uint8_t* code) { __builtin_prefetch(code, 0, 2); }

// Says which content a file has without reading it: equal as long as nobody has written to it.
std::string stamp_of(const fs::path& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return "missing";
  return fmt::format("{} {} {}.{:09}\n", info.st_ino, info.st_size, info.st_mtim.tv_sec,
                     info.st_mtim.tv_nsec);
}

// Opens the family's codes. Reading gigabytes to compare checksums is for files that somebody else may have
// touched: of one that was whole the last time, the stamp is in `stamp_path`.
Result<FamilyFile> open_codes(const fs::path& path, const FamilyExtent& extent, const fs::path& stamp_path) {
  const std::string stamp = stamp_of(path);
  const auto known = read_file(stamp_path);
  const bool unchanged = known.ok() && *known == stamp;
  auto file =
      FamilyFile::open(path, extent, unchanged ? FamilyFile::Check::kHeader : FamilyFile::Check::kWhole);
  if (file.ok() && !unchanged) MASH_TRY(write_file_atomically(stamp_path, stamp));
  return file;
}

std::uint64_t count_missing(const FamilyFile& codes) {
  std::uint64_t num_missing = 0;
  for (std::uint32_t j = 0; j < codes.extent().dim; ++j) num_missing += codes.summary(j).num_missing;
  return num_missing;
}

// The first `count` of them.
std::vector<Fault> find_faults(const ValuesFile& values, const std::string& heuristic, std::size_t count) {
  std::vector<Fault> faults;
  for (std::size_t tile_idx = 0; tile_idx < values.num_tiles() && faults.size() < count; ++tile_idx) {
    const std::span<const float> tile = values.tile(tile_idx);
    for (std::size_t i = 0; i < tile.size() && faults.size() < count; ++i)
      if (std::isnan(tile[i]))
        faults.push_back({heuristic, "compute",
                          fmt::format("feature {} of image {} is not a finite number", i % values.dim(),
                                      tile_idx * ValuesFile::kTileExamples + i / values.dim())});
    values.forget(tile_idx);
  }
  return faults;
}

std::string note_of(const FamilyInfo& info) {
  Json note{{"heuristic", info.spec.heuristic.id},
            {"version", info.spec.heuristic.version},
            {"settings", info.spec.settings},
            {"plugin_sha256", info.spec.heuristic.plugin_sha256},
            {"num_faults", info.num_faults},
            {"num_training_faults", info.num_training_faults},
            {"is_trusted", true},
            {"extract_seconds", info.extract_seconds},
            {"microseconds_per_image", info.microseconds_per_image}};
  for (const Fault& fault : info.first_faults) note["faults"].push_back(fault.message);
  return note.dump();
}

void read_note(std::string_view text, FamilyInfo& info) {
  const Json note = parse_object(text);
  info.num_faults = note.value("num_faults", std::uint64_t(0));
  info.num_training_faults = note.value("num_training_faults", info.num_faults);
  info.extract_seconds = note.value("extract_seconds", 0.0);
  info.microseconds_per_image = note.value("microseconds_per_image", 0.0);
  for (const Json& fault : note.value("faults", Json::array()))
    info.first_faults.push_back({info.spec.heuristic.id, "compute", fault.get<std::string>()});
}

// The part of the memory that values may take without a file.
constexpr std::uint64_t kAvailablePart = 8;

// Memory where there is enough, else a file; this too for an extraction that goes on, and where values stay.
Result<ValuesFile> open_values(const fs::path& path, std::uint32_t dim, ExampleOrder order, bool stays,
                               const ExtractionContext& context) {
  const std::uint64_t num_examples = context.dataset.train.num_examples + context.dataset.test.num_examples;
  const std::uint64_t num_bytes = num_examples * dim * sizeof(float);
  const bool fits = num_bytes <= std::min(kMostBytesWithoutFile, available_memory_bytes() / kAvailablePart);
  if (!fits || stays || fs::exists(path)) return ValuesFile::open_or_create(path, dim, num_examples, order);
  return ValuesFile::in_memory(path, dim, num_examples, order,
                               context.spare ? std::exchange(*context.spare, {}) : MappedFile());
}

// For the next family.
void give_memory_back(ValuesFile& values, const ExtractionContext& context) {
  if (context.spare && values.is_in_memory()) *context.spare = values.take_memory();
}

struct ComputedValues {
  ValuesFile values;
  ExtractionWork work;  // of now
};

// Needs of a family whose values are computed.
struct ValuesNeed {
  bool codes = false;        // its codes are not there yet, or not trusted
  bool is_foreign = false;   // it did not come with this program
  bool file = false;         // of the values, which stay
  KeptRows* kept = nullptr;  // its values by content; null: they are not kept
};

// Adds the rows that are not kept yet.
Status keep_rows(const ValuesFile& values, double microseconds_per_image, const StopFlag& stop,
                 KeptRows& kept) {
  if (kept.values.num_missing(kept.keys) == 0) return Done{};
  return kept.values.add(
      kept.keys, microseconds_per_image, [&](std::size_t example) { return values.row(example); }, stop);
}

// The status; where it is an error of the heuristic, the values that it gave before are removed, as it would
// fail again if they were gone on with.
Status kept_unless_at_fault(Status status, const fs::path& values) {
  std::error_code code;
  if (!status.ok() && status.error().kind == ErrorKind::kInput) fs::remove(values, code);
  return status;
}

// All values of a family, those of a foreign one compared; and, where codes are needed, what an image costs.
// Errors: the heuristic's own; its features follow from more than the picture.
Result<ComputedValues> compute_values(const fs::path& path, const ValuesNeed& need, FamilyInfo& info,
                                      const ExtractionContext& context) {
  // Rows that are kept were compared before they were.
  const bool has_all = need.kept && need.kept->values.num_missing(need.kept->keys) == 0;
  const double cost_before = has_all ? need.kept->values.microseconds_per_image() : 0;
  if (need.codes && need.is_foreign && !has_all) {
    // By processes that have seen pictures of the training side alone, so that no time tells of others.
    context.host.rest();
    info.microseconds_per_image = measure_cost(info.spec, info.dim, context, kRoundsOfToldCost).microseconds;
  }
  MASH_ASSIGN(auto values,
              open_values(path, info.dim, need.is_foreign ? ExampleOrder::kSecret : ExampleOrder::kOfDataset,
                          need.file, context));
  if (values.replaced_version() > 0)
    context.work.remarks.tell(
        fmt::format("{}: found version {} of raw values, which were computed in the order "
                    "of the data set; they are computed again",
                    path.string(), values.replaced_version()));
  const Result<ExtractionWork> extracted = extract_values(info.spec, context, values, need.kept);
  MASH_TRY(kept_unless_at_fault(extracted.ok() ? Status(Done{}) : extracted.error(), path));
  const ExtractionWork& work = *extracted;
  if (need.is_foreign && ((need.codes && !has_all) || work.num_images > 0))
    MASH_TRY(kept_unless_at_fault(compare_computed_again(info.spec, context, values), path));
  if (need.codes && has_all && work.num_images == 0)
    info.microseconds_per_image = cost_before;
  else if (need.codes &&
           !need.is_foreign)  // no images where an earlier process was ended right after the last
    info.microseconds_per_image =
        work.num_images > 0 ? 1e6 * work.processor_seconds / double(work.num_images)
                            : measure_cost(info.spec, info.dim, context, kRoundsOfToldCost).microseconds;
  if (need.kept) MASH_TRY(keep_rows(values, info.microseconds_per_image, context.work.stop, *need.kept));
  return ComputedValues{std::move(values), work};
}

// watch: since the extraction began.
Status write_codes(const fs::path& path, const FamilyExtent& extent, const ValuesFile& values,
                   const Stopwatch& watch, FamilyInfo& info, const Workers& workers) {
  MASH_ASSIGN(auto codes, FamilyFile::create(path, extent));
  const std::uint64_t num_missing_in_training = quantise(values, workers, codes);
  if (!info.spec.is_given()) {
    info.num_faults = count_missing(codes);
    info.num_training_faults = num_missing_in_training;
    info.first_faults =
        find_faults(values, info.spec.heuristic.id, std::min<std::size_t>(info.num_faults, kMaxFaultsKept));
  }
  info.extract_seconds = watch.seconds();
  return codes.seal(note_of(info));
}

// Whether the codes are of values that were compared with a second extraction, or of a shipped heuristic.
// Older files do not say so: their pictures came in the order of the data set.
bool is_trusted(std::string_view text) {
  const Json note = parse_object(text);
  return note.is_object() && note.value("is_trusted", false);
}

// Bytes of a family's files while it is computed.
std::uint64_t bytes_while_computed(const FamilyExtent& extent) {
  return family_file_size(extent) +
         std::uint64_t(extent.dim) * (extent.num_train + extent.num_test) * sizeof(float);
}

}  // namespace

Status check_family_limit(std::uint32_t dim, const StoreSettings& settings, const Dataset& dataset) {
  const FamilyExtent extent{dim, dataset.train.num_examples, dataset.test.num_examples};
  const std::uint64_t num_bytes = bytes_while_computed(extent);
  if (num_bytes <= settings.family_limit) return Done{};
  return input_error(
      "its {} features of {} pictures take {} on disk while they are computed; expected at most {} "
      "(--family-limit)",
      dim, extent.num_train + extent.num_test, bytes_in_words(num_bytes),
      bytes_in_words(settings.family_limit));
}

std::string store_key(const FamilySpec& spec, const Dataset& dataset) {
  Sha256 hash;
  for (const std::string& part :
       {std::string("mash-store-1"), dataset.fingerprint, spec.heuristic.id, spec.heuristic.plugin_sha256,
        spec.settings, fmt::format("{}x{}", dataset.shape.width, dataset.shape.height)}) {
    hash.update(part);
    hash.update(std::string_view("\0", 1));
  }
  std::string name = spec.heuristic.id;
  std::ranges::replace_if(
      name, [](char c) { return c == '/' || c == ':'; }, '_');
  return name + "-" + hash.hex().substr(0, 32);
}

namespace {

// All that the values of a family follow from beside the picture, on the pictures of this data set.
ValueOrigin origin_of(const FamilySpec& spec, const Dataset& dataset) {
  return {spec.heuristic.id, spec.heuristic.plugin_sha256,
          spec.settings,     spec.values,
          dataset.shape,     dataset.has_sequences() ? Content::kFilm : Content::kPicture};
}

}  // namespace

bool keeps_by_content(const StoreSettings& settings, const Dataset& dataset) {
  return dataset.shape.num_bytes() > 0 && !dataset.train.is_endless() && keeps_values(settings.folder);
}

std::uint64_t content_bytes(std::uint32_t dim, const StoreSettings& settings, const Dataset& dataset) {
  if (!keeps_by_content(settings, dataset)) return 0;
  return value_rows_bytes(dim, dataset.train.num_examples + dataset.test.num_examples);
}

double share_missing(const FamilySpec& spec, std::uint32_t dim, const StoreSettings& settings,
                     const ExtractionContext& context) {
  if (!context.keys || spec.is_given()) return 1;
  const ValueOrigin origin = origin_of(spec, context.dataset);
  const std::vector<ContentKey>& keys = context.keys->of(origin.content);
  const KeptValues kept = KeptValues::look(values_folder(settings.folder, origin), dim);
  return double(kept.num_missing(keys)) / double(std::max<std::size_t>(keys.size(), 1));
}

Result<KeptRows> open_kept(const FamilySpec& spec, std::uint32_t dim, const StoreSettings& settings,
                           const ExtractionContext& context) {
  const ValueOrigin origin = origin_of(spec, context.dataset);
  const fs::path folder = values_folder(settings.folder, origin);
  MASH_ASSIGN(KeptValues values, KeptValues::open(folder, dim, context.work.stop));
  MASH_TRY(write_store_label(
      folder, {"", spec.heuristic.id, spec.heuristic.version, spec.settings, spec.heuristic.plugin_sha256}));
  return KeptRows{std::move(values), context.keys->of(origin.content)};
}

std::uint64_t store_bytes(std::uint32_t dim, const StoreSettings& settings, const Dataset& dataset) {
  const std::uint64_t num_train = dataset.train.num_examples, num_test = dataset.test.num_examples;
  const std::uint64_t value_bytes =
      settings.keep_values ? std::uint64_t(dim) * (num_train + num_test) * sizeof(float) : 0;
  return family_file_size({dim, num_train, num_test}) + value_bytes + content_bytes(dim, settings, dataset);
}

std::uint64_t stored_bytes(const FamilySpec& spec, const StoreSettings& settings, const Dataset& dataset) {
  const fs::path folder = settings.folder / store_key(spec, dataset);
  std::uint64_t sum = 0;
  for (const char* name : {kCodesFile, kValuesFile}) {
    if (name == kValuesFile && !settings.keep_values) continue;
    std::error_code code;
    const std::uintmax_t size = fs::file_size(folder / name, code);
    if (code) return 0;
    sum += size;
  }
  if (keeps_by_content(settings, dataset))
    sum += kept_bytes(values_folder(settings.folder, origin_of(spec, dataset)));
  return sum;
}

Result<std::unique_ptr<StoredFamily>> StoredFamily::obtain(FamilyInfo& info, const StoreSettings& settings,
                                                           const ExtractionContext& context) {
  const fs::path folder = settings.folder / store_key(info.spec, context.dataset);
  std::error_code code;
  MASH_ASSIGN(const FileLock lock, lock_to_open(folder, context.work.stop));
  auto family = std::make_unique<StoredFamily>();
  MASH_ASSIGN(family->use_, lock_to_use(folder, context.work.stop));
  family->use_->touch();
  MASH_TRY(
      write_store_label(folder, {context.dataset.name, info.spec.heuristic.id, info.spec.heuristic.version,
                                 info.spec.settings, info.spec.heuristic.plugin_sha256}));

  const std::uint64_t num_train = context.dataset.train.num_examples,
                      num_test = context.dataset.test.num_examples;
  const FamilyExtent extent{info.dim, num_train, num_test};
  const fs::path codes_path = folder / kCodesFile, partial_path = folder / "codes.part",
                 values_path = folder / kValuesFile;
  const fs::path stamp_path = folder / "codes.stamp";
  const auto publish = [&]() -> Status {
    // Values first: a process that is ended in between leaves whole codes, which the next one takes over.
    if (!settings.keep_values) fs::remove(values_path, code);
    fs::rename(partial_path, codes_path, code);
    if (code) return failure("{}: cannot be renamed: {}", partial_path.string(), code.message());
    return Done{};
  };
  auto stored = open_codes(codes_path, extent, stamp_path);
  if (!stored.ok() && FamilyFile::open(partial_path, extent, FamilyFile::Check::kWhole).ok()) {
    MASH_TRY(publish());
    stored = open_codes(codes_path, extent, stamp_path);
  }
  const bool is_foreign = !info.spec.is_given() && !context.host.is_shipped(info.spec.heuristic);
  const bool need_codes = !stored.ok() || (is_foreign && !is_trusted(stored->note()));
  if (need_codes || settings.keep_values) {
    MASH_TRY(check_family_limit(info.dim, settings, context.dataset));
    const Stopwatch watch;
    std::optional<KeptRows> kept;
    if (context.keys && !info.spec.is_given()) {
      MASH_ASSIGN(kept, open_kept(info.spec, info.dim, settings, context));
    }
    MASH_ASSIGN(
        ComputedValues computed,
        compute_values(values_path, {need_codes, is_foreign, settings.keep_values, kept ? &*kept : nullptr},
                       info, context));
    if (need_codes) {
      MASH_TRY(write_codes(partial_path, extent, computed.values, watch, info, context.work.workers));
      MASH_TRY(publish());
      stored = open_codes(codes_path, extent, stamp_path);
      if (!stored.ok()) return stored.error();
    }
    if (need_codes || computed.work.num_images > 0) family->seconds_ = watch.seconds();
    give_memory_back(computed.values, context);
    if (settings.keep_values) family->values_ = std::move(computed.values);
  }
  if (!need_codes) read_note(stored->note(), info);
  if (info.spec.columns) info.microseconds_per_image = std::numeric_limits<double>::quiet_NaN();
  family->file_ = *std::move(stored);
  if (settings.strict) MASH_TRY(check_strict(info));
  return family;
}

StoredFamily::~StoredFamily() {
  if (use_) use_->touch();
}

ColumnBlock StoredFamily::columns(Side side, std::uint32_t first, std::uint32_t) const {
  if (side == Side::kTrain)
    return {file_.train_column(first).data(), file_.train_stride(), file_.extent().num_train};
  return {file_.test_column(first).data(), file_.test_stride(), file_.extent().num_test};
}

std::pair<std::uint32_t, double> StoredFamily::mode(std::uint32_t feature_idx) const {
  const FeatureSummary& summary = file_.summary(feature_idx);
  return {summary.mode_code, double(summary.mode_count) / double(file_.extent().num_train)};
}

std::uint32_t StoredFamily::count_distinct(std::unordered_set<std::uint64_t>& seen) const {
  std::uint32_t num_distinct = 0;
  for (std::uint32_t j = 0; j < file_.extent().dim; ++j)
    if (file_.summary(j).num_thresholds > 0 && seen.insert(file_.summary(j).hash).second) ++num_distinct;
  return num_distinct;
}

void StoredFamily::gather(std::span<const std::uint32_t> feature_indices, std::span<const std::uint32_t> rows,
                          std::uint8_t* out, std::size_t stride) const {
  if (feature_indices.empty() || rows.empty()) return;
  // A row serves several features from one cache line; a column serves several examples once they are dense
  // in it.
  constexpr std::size_t kCacheLine = 64;
  const double features_per_line =
      std::max(1.0, double(feature_indices.size()) * kCacheLine / file_.extent().dim);
  const double rows_per_line =
      std::max(1.0, double(rows.size()) * kCacheLine / double(file_.extent().num_train));
  if (features_per_line > rows_per_line) {
    const std::size_t rows_ahead = kAhead / feature_indices.size() + 1;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const std::uint8_t* row = file_.train_row(rows[r]).data();
      const std::uint8_t* later = file_.train_row(rows[std::min(r + rows_ahead, rows.size() - 1)]).data();
      for (std::size_t i = 0; i < feature_indices.size(); ++i) {
        prefetch(later + feature_indices[i]);
        out[i * stride + r] = row[feature_indices[i]];
      }
    }
    return;
  }
  const std::size_t ahead = std::min(kAhead, rows.size());
  for (std::size_t i = 0; i < feature_indices.size(); ++i) {
    const std::uint8_t* column = file_.train_column(feature_indices[i]).data();
    const std::uint8_t* next =
        file_.train_column(feature_indices[std::min(i + 1, feature_indices.size() - 1)]).data();
    std::uint8_t* codes = out + i * stride;
    for (std::size_t r = 0; r + ahead < rows.size(); ++r) {
      prefetch(column + rows[r + ahead]);
      codes[r] = column[rows[r]];
    }
    for (std::size_t r = rows.size() - ahead; r < rows.size(); ++r) {
      prefetch(next + rows[r + ahead - rows.size()]);
      codes[r] = column[rows[r]];
    }
  }
}

void StoredFamily::values(Side side, std::span<const std::uint32_t> feature_indices,
                          std::span<const std::uint32_t> rows, float* out, std::size_t stride) const {
  require(values_.has_value(), "FamilyData::values: opened with keep_values");
  const std::size_t first = side == Side::kTrain ? 0 : file_.extent().num_train;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const auto row = values_->row(first + rows[r]);
    for (std::size_t i = 0; i < feature_indices.size(); ++i) out[i * stride + r] = row[feature_indices[i]];
  }
}

}  // namespace mash
