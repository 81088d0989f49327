// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/readers/cifar10.hpp"

#include <array>
#include <span>
#include <string>

#include "framework/dataset/data_path.hpp"
#include "framework/dataset/source.hpp"

namespace mash {
namespace {

// CIFAR-10's binary records (Krizhevsky 2009): the label, then 1024 red, 1024 green and 1024 blue bytes, row
// by row.
constexpr ImageShape kCifarShape{32, 32, 3};
constexpr std::size_t kCifarPlane = std::size_t(32) * 32;
constexpr std::size_t kCifarRecord = 1 + 3 * kCifarPlane;
constexpr std::array kClassNames{"airplane", "automobile", "bird",  "cat",  "deer",
                                 "dog",      "frog",       "horse", "ship", "truck"};

// The batches of one side in name order; a batch that is there both plain and packed is read once, plain.
Result<std::vector<std::filesystem::path>> find_batches(const std::filesystem::path& folder,
                                                        std::string_view prefix) {
  MASH_ASSIGN(const std::vector<std::filesystem::path> entries, list_folder(folder));
  std::vector<std::filesystem::path> batches;
  for (const std::filesystem::path& entry : entries) {
    const std::string name = entry.filename().string();
    if (!name.starts_with(prefix) || (!name.ends_with(".bin") && !name.ends_with(".bin.gz"))) continue;
    if (batches.empty() || name != batches.back().filename().string() + ".gz") batches.push_back(entry);
  }
  if (batches.empty())
    return input_error("{}: found no {}*.bin or {}*.bin.gz, expected at least one", folder.string(), prefix,
                       prefix);
  return batches;
}

Status append_batch(const LoadedSource& source, Split& split) {
  const std::string_view bytes = source.bytes;
  const std::size_t num_records = bytes.size() / kCifarRecord;
  if (bytes.size() % kCifarRecord != 0)
    return input_error("{}: byte {}: truncated in record {}, expected whole records of {} bytes",
                       source.place(), bytes.size(), num_records, kCifarRecord);
  split.pixels.reserve(split.pixels.size() + num_records * kCifarShape.num_bytes());
  for (std::size_t record = 0; record < num_records; ++record) {
    const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data()) + record * kCifarRecord;
    if (data[0] >= kClassNames.size())
      return input_error("{}: byte {}: record {}: found label {}, expected 0 to {}", source.place(),
                         record * kCifarRecord, record, data[0], kClassNames.size() - 1);
    split.labels.push_back(data[0]);
    for (std::size_t pixel = 0; pixel < kCifarPlane; ++pixel)
      for (std::size_t channel = 0; channel < 3; ++channel)
        split.pixels.push_back(data[1 + channel * kCifarPlane + pixel]);
  }
  split.num_examples += num_records;
  return Done{};
}

Status read_cifar_side(std::span<const std::filesystem::path> batches, Progress& progress, Dataset& dataset,
                       Split& split) {
  for (const auto& batch : batches) {
    MASH_ASSIGN(const LoadedSource source, read_source(batch));
    MASH_TRY(append_batch(source, split));
    dataset.sources.push_back(source.file);
    name_rows(std::uint32_t(dataset.sources.size() - 1), split);
    progress.advance(1);
  }
  return Done{};
}

}  // namespace

Result<Dataset> read_cifar10(Settings& settings, const ReadRequest& request) {
  MASH_ASSIGN(const auto folder, find_data_path(settings, request.name));
  MASH_TRY(settings.finish("data set cifar10"));
  MASH_ASSIGN(const auto train, find_batches(folder, "data_batch"));
  MASH_ASSIGN(const auto test, find_batches(folder, "test_batch"));
  Dataset dataset;
  dataset.shape = kCifarShape;
  dataset.class_names.assign(kClassNames.begin(), kClassNames.end());
  request.work.progress.start("reading cifar10", train.size() + test.size(), "batches");
  MASH_TRY(read_cifar_side(train, request.work.progress, dataset, dataset.train));
  MASH_TRY(read_cifar_side(test, request.work.progress, dataset, dataset.test));
  request.work.progress.finish();
  return dataset;
}

}  // namespace mash
