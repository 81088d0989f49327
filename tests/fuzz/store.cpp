// SPDX-License-Identifier: Apache-2.0
#include <numeric>

#include "framework/base/file.hpp"
#include "framework/families/family_file.hpp"
#include "framework/families/values_file.hpp"
#include "tests/fuzz/dataset_file.hpp"

namespace mash::fuzz {
namespace {

constexpr FamilyExtent kExtent{3, 5, 2};
constexpr std::uint32_t kDim = 3;
constexpr std::uint64_t kNumExamples = 300;

template <class T>
unsigned sum_of(std::span<const T> items) {
  return std::accumulate(items.begin(), items.end(), 0u,
                         [](unsigned sum, T item) { return sum + unsigned(item); });
}

// Every byte that a whole file promises.
unsigned sum_of(const FamilyFile& file) {
  unsigned sum = 0;
  for (std::uint32_t i = 0; i < kExtent.dim; ++i)
    sum += sum_of(file.train_column(i)) + sum_of(file.test_column(i)) + file.summary(i).mode_code +
           file.thresholds(i).size();
  for (std::uint64_t n = 0; n < kExtent.num_train; ++n) sum += sum_of(file.train_row(n));
  for (const char c : file.note()) sum += unsigned(c);
  return sum;
}

constexpr unsigned kFamilySum = 2 * 3 + 4;

std::string family_seed() {
  const std::filesystem::path path = folder() / "seed.codes";
  {
    auto file = *FamilyFile::create(path, kExtent);
    file.writable_train_column(1)[4] = 3;
    file.writable_train_row(2)[0] = 3;
    file.writable_summary(2).mode_code = 4;
    MASH_PROMISE(file.seal("").ok());
  }
  return *read_file(path);
}

std::string values_seed() {
  const std::filesystem::path path = folder() / "seed.values";
  std::filesystem::remove(path);
  {
    auto file = *ValuesFile::open_or_create(path, kDim, kNumExamples);
    for (std::size_t tile = 0; tile < file.num_tiles(); ++tile) {
      file.tile(tile)[0] = float(tile);
      file.mark_done(tile);
    }
  }
  return *read_file(path);
}

}  // namespace

// A foreign or torn file of the feature store is told from a whole one, or taken for empty.
void take(std::string_view input) {
  const std::filesystem::path path = write("input", input);
  if (const auto file = FamilyFile::open(path, kExtent); file.ok()) MASH_PROMISE(sum_of(*file) == kFamilySum);
  if (const auto file = FamilyFile::open(path, kExtent, FamilyFile::Check::kHeader); file.ok()) sum_of(*file);
  const auto file = ValuesFile::open_or_create(path, kDim, kNumExamples);
  MASH_PROMISE(file.ok());
  for (std::size_t tile = 0; tile < file->num_tiles(); ++tile)
    MASH_PROMISE(!file->is_done(tile) || file->tile(tile)[0] == float(tile));
}

std::vector<std::string> seeds() { return {family_seed(), values_seed()}; }

}  // namespace mash::fuzz
