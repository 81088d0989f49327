// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
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

constexpr std::size_t kHeaderBytes = 4096;

unsigned sum_of(std::span<const std::uint8_t> codes) {
  return std::accumulate(codes.begin(), codes.end(), 0u);
}

// Looks at every part that a file has by its header.
unsigned sum_of(const FamilyFile& file) {
  unsigned sum = 0;
  for (std::uint32_t i = 0; i < kExtent.dim; ++i)
    sum += sum_of(file.train_column(i)) + sum_of(file.test_column(i)) + file.summary(i).mode_code +
           unsigned(file.thresholds(i).size());
  for (std::uint64_t n = 0; n < kExtent.num_train; ++n) sum += sum_of(file.train_row(n));
  return sum + unsigned(file.note().size());
}

std::string family_seed() {
  const std::filesystem::path path = folder() / "seed.codes";
  {
    auto file = *FamilyFile::create(path, kExtent);
    file.writable_train_column(1)[4] = 3;
    file.writable_train_row(2)[0] = 3;
    file.writable_summary(2).mode_code = 4;
    MASH_PROMISE(file.seal("a note").ok());
  }
  return *read_file(path);
}

// Parts that are the tiles.
std::vector<std::uint32_t> examples_of(std::size_t tile) {
  std::vector<std::uint32_t> examples;
  for (std::size_t n = tile * ValuesFile::kTileExamples;
       n < std::min<std::size_t>(kNumExamples, (tile + 1) * ValuesFile::kTileExamples); ++n)
    examples.push_back(std::uint32_t(n));
  return examples;
}

std::string values_seed() {
  const std::filesystem::path path = folder() / "seed.values";
  std::filesystem::remove(path);
  {
    auto file = *ValuesFile::open_or_create(path, kDim, kNumExamples);
    for (std::size_t tile = 0; tile < file.num_tiles(); ++tile) {
      file.tile(tile)[0] = float(tile + 1);
      std::uint64_t sum = 0;
      for (const std::uint32_t example : examples_of(tile)) {
        const auto row = file.row(example);
        MASH_PROMISE(file.write_row(example, std::vector(row.begin(), row.end()), sum).ok());
      }
      file.mark_done(tile, sum);
    }
  }
  return *read_file(path);
}

}  // namespace

// A foreign or torn file of the feature store is told from a whole one, or begun again.
bool take(std::string_view input) {
  static const std::string seed = family_seed();
  [[maybe_unused]] static volatile unsigned sum;  // so that nothing is left unread
  const std::filesystem::path path = write("input", input);
  const auto whole = FamilyFile::open(path, kExtent);
  MASH_PROMISE(!whole.ok() || input.substr(kHeaderBytes) == std::string_view(seed).substr(kHeaderBytes));
  if (const auto file = FamilyFile::open(path, kExtent, FamilyFile::Check::kHeader); file.ok())
    sum = sum_of(*file);
  const auto values = ValuesFile::open_or_create(path, kDim, kNumExamples);
  MASH_PROMISE(values.ok());
  std::size_t num_done = 0;
  for (std::size_t tile = 0; tile < values->num_tiles(); ++tile) {
    if (!values->is_done(tile, examples_of(tile))) continue;
    ++num_done;
    const auto written = values->tile(tile);
    MASH_PROMISE(written[0] == float(tile + 1));
    MASH_PROMISE(std::all_of(written.begin() + 1, written.end(), [](float value) { return value == 0; }));
  }
  return whole.ok() || num_done == values->num_tiles();
}

std::vector<std::string> seeds() { return {family_seed(), values_seed()}; }

}  // namespace mash::fuzz
