// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/offers/single_pictures.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "framework/base/random.hpp"
#include "framework/dataset/perturbation.hpp"
#include "framework/families/value_extractor.hpp"
#include "framework/operations/offers/information.hpp"

namespace mash {
namespace {

constexpr double kNoise = 0.25;  // grey levels, standard deviation: a change by one where it is beyond two
constexpr double kSure = 3;      // standard errors of either
constexpr std::size_t kMostValues = std::size_t(1) << 24;  // that are held at a time

// Pictures one after the other, with their labels.
struct CopiedPictures {
  ImageShape shape;
  Split split;
  std::size_t num_classes = 0;
};

// A seeded choice of those that judge, themselves.
CopiedPictures chosen_pictures(const Dataset& dataset, const OfferTest& test) {
  const bool is_held_out = !test.held_out.empty();
  const Split& side = is_held_out ? dataset.train : dataset.test;
  std::vector<std::uint32_t> judges(test.labels.size());
  std::iota(judges.begin(), judges.end(), 0u);
  RandomStream random(1, "single pictures", 0);
  random.shuffle(std::span(judges));
  judges.resize(std::min(judges.size(), kMostCopied));
  CopiedPictures chosen{dataset.shape, {}, dataset.num_classes()};
  for (const std::uint32_t judge : judges) {
    const auto picture = side.image(is_held_out ? test.held_out[judge] : judge, dataset.shape);
    chosen.split.pixels.insert(chosen.split.pixels.end(), picture.begin(), picture.end());
    chosen.split.labels.push_back(test.labels[judge]);
  }
  chosen.split.num_examples = judges.size();
  return chosen;
}

// One pixel to the right; the first one of each row is repeated.
void shift(CopiedPictures& pictures) {
  const std::size_t pixel = pictures.shape.num_channels, row = pixel * pictures.shape.width;
  for (std::size_t at = 0; at + row <= pictures.split.pixels.size(); at += row)
    std::memmove(&pictures.split.pixels[at] + pixel, &pictures.split.pixels[at], row - pixel);
}

void add_noise(CopiedPictures& pictures) {
  perturb(pictures.split, pictures.shape, {PerturbationKind::kNoise, kNoise}, 1);
}

// The information of each of these features on the class.
Result<std::vector<Information>> tells(const ValueExtractor& extractor, const CopiedPictures& pictures,
                                       std::span<const std::uint32_t> features, const WorkContext& work) {
  const std::size_t num_pictures = pictures.split.num_examples, dim = extractor.dim(),
                    num_bytes = pictures.shape.num_bytes();
  std::vector<std::vector<float>> columns(features.size(), std::vector<float>(num_pictures));
  const std::size_t at_once = std::clamp<std::size_t>(kMostValues / dim, 1, num_pictures);
  for (std::size_t begin = 0; begin < num_pictures; begin += at_once) {
    const std::size_t size = std::min(at_once, num_pictures - begin);
    std::vector<float> rows(size * dim);
    const std::span<const std::uint8_t> pixels(pictures.split.pixels.data() + begin * num_bytes,
                                               size * num_bytes);
    MASH_TRY(extractor.extract(pixels, rows, work.workers, work.stop));
    for (std::size_t i = 0; i < features.size(); ++i)
      for (std::size_t n = 0; n < size; ++n) columns[i][begin + n] = rows[n * dim + features[i]];
  }
  std::vector<Information> all;
  for (const std::vector<float>& column : columns)
    all.push_back(information_on_class(column, pictures.split.labels, pictures.num_classes));
  return all;
}

bool falls(const Information& from, const Information& to) {
  return to.nats < from.nats / 2 && from.nats - to.nats > kSure * (from.error + to.error);
}

}  // namespace

Result<bool> knows_single_pictures(Workspace& space, const FamilyGroup& newcomer, const OfferTest& test,
                                   const WorkContext& work) {
  const Dataset& dataset = *space.dataset;
  if (dataset.is_table() || test.labels.size() < kFewestCopied) return false;
  const CopiedPictures pictures = chosen_pictures(dataset, test);
  CopiedPictures shifted = pictures, noisy = pictures;
  shift(shifted);
  add_noise(noisy);
  std::uint64_t num_won = 0, num_won_by_knowing = 0;
  std::size_t first = 0;  // feature of the family, among those of the newcomer
  for (const std::size_t k : newcomer.families) {
    const std::span<const std::uint32_t> wins =
        std::span(test.wins).subspan(first, space.features.family_size(k));
    first += wins.size();
    std::vector<std::uint32_t> winners;
    for (std::uint32_t i = 0; i < wins.size(); ++i)
      if (wins[i] > 0) winners.push_back(i);
    if (winners.empty()) continue;
    const FamilySpec& spec = space.features.families()[k].spec;
    if (spec.is_given()) continue;  // changed pictures have no columns
    MASH_ASSIGN(const ValueExtractor extractor,
                ValueExtractor::open(space.catalogue.host(), spec, dataset.shape));
    MASH_ASSIGN(const auto of_pictures, tells(extractor, pictures, winners, work));
    MASH_ASSIGN(const auto of_shifted, tells(extractor, shifted, winners, work));
    MASH_ASSIGN(const auto of_noisy, tells(extractor, noisy, winners, work));
    for (std::size_t i = 0; i < winners.size(); ++i) {
      num_won += wins[winners[i]];
      if (falls(of_pictures[i], of_shifted[i]) || falls(of_pictures[i], of_noisy[i]))
        num_won_by_knowing += wins[winners[i]];
    }
  }
  return num_won > 0 && 2 * num_won_by_knowing > num_won;
}

}  // namespace mash
