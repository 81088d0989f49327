// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/picture_block.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <opencv2/core/utility.hpp>
#include <set>

#include "framework/dataset/image_file.hpp"
#include "framework/dataset/pixel_budget.hpp"
#include "framework/dataset/source.hpp"

namespace mash {
namespace {

// The outcome of one picture.
struct Outcome {
  std::optional<Error> error;
  ImageShape other_size;  // where it has another size than the others and may not be resized; else 0 x 0
};

Error unreadable(Error first, std::size_t num_others, const PictureOptions& options) {
  if (num_others > 0)
    first.message +=
        fmt::format("; {} more picture{} cannot be read either", num_others, num_others == 1 ? "" : "s");
  return {first.kind, first.message + options.advice_for_broken};
}

class Reading {
 public:
  Reading(const std::vector<PictureEntry>& entries, const ImageShape& shape, const PictureOptions& options)
      : entries_(entries), shape_(shape), options_(options), outcomes_(entries.size()) {
    block_.entries = entries;
    block_.split.num_examples = entries.size();
    block_.split.pixels.resize(entries.size() * shape.num_bytes());
    for (const PictureEntry& entry : entries) block_.split.labels.push_back(entry.label);
    block_.sources.resize(entries.size());
  }

  void read(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      if (const Status status = read_one(i); !status.ok()) outcomes_[i].error = status.error();
  }

  Result<PictureBlock> finish() {
    if (!options_.skip_broken) MASH_TRY(check_errors());
    MASH_TRY(check_sizes());
    if (options_.skip_broken) leave_out_broken();
    block_.all_grey = all_grey_;
    return std::move(block_);
  }

 private:
  Status read_one(std::size_t i) {
    MASH_ASSIGN(LoadedSource source, read_source(entries_[i].path));
    PixelShare share(budget_);  // until the picture has its size
    MASH_ASSIGN(DecodedImage image,
                decode_image(source, [&](std::uint64_t num_pixels) { share.take(num_pixels); }));
    if (options_.resize)
      image = resized(image, *options_.resize);
    else if (image.shape.width != shape_.width || image.shape.height != shape_.height) {
      if (options_.skip_other_sizes)
        return input_error("{}: found {}x{} pixels, expected {}x{}{}", source.place(), image.shape.width,
                           image.shape.height, shape_.width, shape_.height, options_.advice_for_sizes);
      outcomes_[i].other_size = image.shape;
      return Done{};
    }
    if (!image.is_grey) all_grey_ = false;
    std::ranges::copy(image.pixels, block_.split.pixels.begin() + std::ptrdiff_t(i * shape_.num_bytes()));
    block_.sources[i] = std::move(source.file);
    return Done{};
  }

  Status check_errors() const {
    const auto failed = [](const Outcome& outcome) { return outcome.error.has_value(); };
    const auto first = std::ranges::find_if(outcomes_, failed);
    if (first == outcomes_.end()) return Done{};
    const auto num_others = std::size_t(std::ranges::count_if(outcomes_, failed) - 1);
    return unreadable(*first->error, num_others, options_);
  }

  Status check_sizes() const {
    struct Seen {
      std::size_t count = 0;
      std::filesystem::path first;
    };
    std::map<std::pair<std::uint32_t, std::uint32_t>, Seen> sizes;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      if (outcomes_[i].error) continue;
      const ImageShape& shape = outcomes_[i].other_size.width > 0 ? outcomes_[i].other_size : shape_;
      Seen& seen = sizes[{shape.width, shape.height}];
      if (seen.count++ == 0) seen.first = entries_[i].path;
    }
    const bool is_one = sizes.empty() ||
                        (sizes.size() == 1 && sizes.begin()->first == std::pair(shape_.width, shape_.height));
    if (is_one) return Done{};
    constexpr std::size_t kMostShown = 4;
    std::vector<std::string> shown;
    for (const auto& [size, seen] : sizes) {
      if (shown.size() == kMostShown) break;
      shown.push_back(fmt::format("{}x{} ({} picture{}, such as {})", size.first, size.second, seen.count,
                                  seen.count == 1 ? "" : "s", seen.first.string()));
    }
    if (sizes.size() > kMostShown) shown.push_back(fmt::format("{} more", sizes.size() - kMostShown));
    return input_error("found pictures of {} size{}: {}; expected all to be {}x{}{}", sizes.size(),
                       sizes.size() == 1 ? "" : "s", fmt::join(shown, ", "), shape_.width, shape_.height,
                       options_.advice_for_sizes);
  }

  // With one picture of a sequence goes the whole, in which there would be a gap.
  void leave_out_broken() {
    std::set<std::uint32_t> broken;
    for (std::size_t i = 0; i < entries_.size(); ++i)
      if (outcomes_[i].error && broken.insert(entries_[i].sequence).second)
        block_.broken.push_back(outcomes_[i].error->message);
    if (broken.empty()) return;
    const std::size_t num_bytes = shape_.num_bytes();
    std::size_t kept = 0;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      if (broken.contains(entries_[i].sequence)) continue;
      if (kept != i) {
        const auto picture = block_.split.image(i, shape_);
        std::ranges::copy(picture, block_.split.pixels.begin() + std::ptrdiff_t(kept * num_bytes));
        block_.split.labels[kept] = block_.split.labels[i];
        block_.entries[kept] = block_.entries[i];
        block_.sources[kept] = std::move(block_.sources[i]);
      }
      ++kept;
    }
    block_.split.num_examples = kept;
    block_.split.pixels.resize(kept * num_bytes);
    block_.split.labels.resize(kept);
    block_.entries.resize(kept);
    block_.sources.resize(kept);
  }

  const std::vector<PictureEntry>& entries_;
  const ImageShape shape_;
  const PictureOptions& options_;
  std::vector<Outcome> outcomes_;
  PixelBudget budget_;
  PictureBlock block_;
  std::atomic<bool> all_grey_{true};
};

}  // namespace

Result<ImageShape> shape_of_pictures(const std::vector<PictureEntry>& entries,
                                     const PictureOptions& options) {
  if (options.resize)
    return ImageShape{options.resize->width, options.resize->height, 3, 1, options.resize->mode};
  std::optional<Error> first_error;
  for (const PictureEntry& entry : entries) {
    const auto source = read_source(entry.path);
    const auto image = source.ok() ? decode_image(*source) : Result<DecodedImage>(source.error());
    if (image.ok()) return image->shape;
    if (!options.skip_broken) return unreadable(image.error(), 0, options);
    if (!first_error) first_error = image.error();
  }
  return unreadable(*first_error, entries.size() - 1, options);
}

Result<PictureBlock> read_pictures(const std::vector<PictureEntry>& entries, const ImageShape& shape,
                                   const PictureOptions& options, const WorkContext& work) {
  cv::setNumThreads(1);  // pictures are read side by side, on the threads of the work and no others
  Reading reading(entries, shape, options);
  MASH_TRY(work.workers.try_blocks(entries.size(), 16, work.stop,
                                   [&](std::size_t begin, std::size_t end) -> Status {
                                     reading.read(begin, end);
                                     work.progress.advance(end - begin);
                                     return Done{};
                                   }));
  return reading.finish();
}

std::vector<std::optional<std::string>> reasons_of(const PictureBlock& block, std::size_t num_pictures) {
  std::vector<bool> is_read(num_pictures);
  for (const PictureEntry& entry : block.entries) is_read[entry.sequence] = true;
  std::vector<std::optional<std::string>> reasons(num_pictures);
  auto reason = block.broken.begin();
  for (std::size_t i = 0; i < num_pictures; ++i)
    if (!is_read[i]) reasons[i] = *reason++;
  return reasons;
}

std::vector<std::string> warnings_of_broken(std::span<const std::string> reasons, std::size_t num_left_out,
                                            std::string_view option) {
  constexpr std::size_t kMostShown = 20;
  if (reasons.empty()) return {};
  std::vector<std::string> warnings{fmt::format("{} picture{} left out, as {} says:", num_left_out,
                                                num_left_out == 1 ? " was" : "s were", option)};
  for (const std::string& reason : reasons.first(std::min(reasons.size(), kMostShown)))
    warnings.push_back(reason);
  if (reasons.size() > kMostShown)
    warnings.push_back(fmt::format("... and {} more", reasons.size() - kMostShown));
  return warnings;
}

void turn_grey(Split& split) {
  to_grey(split.pixels, std::span(split.pixels).first(split.pixels.size() / 3));
  split.pixels.resize(split.pixels.size() / 3);
}

}  // namespace mash
