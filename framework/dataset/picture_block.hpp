// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/base/result.hpp"
#include "framework/base/work_context.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/dataset/picture_layout.hpp"
#include "framework/dataset/resize.hpp"

namespace mash {

// Treatment of pictures of other sizes and of damaged ones.
struct PictureOptions {
  std::optional<Resize> resize;
  bool skip_broken = false;
  bool skip_other_sizes = false;  // pictures of other sizes are broken ones too. REQUIRES: skip_broken
  // Advice to the user, as the end of an error of this kind.
  std::string advice_for_sizes;
  std::string advice_for_broken;
};

// The pictures read of one side.
struct PictureBlock {
  Split split;                        // pixels of three channels, and labels
  std::vector<PictureEntry> entries;  // those that were read
  std::vector<SourceFile> sources;
  std::vector<std::string> broken;  // why each picture that was left out was, at the first of its sequence
  bool all_grey = true;
};

// The size that pictures have: the one to resize to or, without one, that of the first that can be read,
// which the others must have. Errors: that of the first where none can be read or, unless broken ones are
// skipped, it cannot.
Result<ImageShape> shape_of_pictures(const std::vector<PictureEntry>& entries, const PictureOptions& options);

// Decodes the pictures of one side, several at a time, each into its place. One that cannot be read is an
// error, which says how many more there are; with skip_broken it and those of its sequence are left out.
// work: whose progress is told of every picture. Errors (kInput): that; pictures of other sizes than `shape`
// without a resize, with the sizes that were found, unless those are skipped. kStopped.
Result<PictureBlock> read_pictures(const std::vector<PictureEntry>& entries, const ImageShape& shape,
                                   const PictureOptions& options, const WorkContext& work);

// For each picture why it was left out, if it was. REQUIRES: the block was read from num_pictures entries,
// each a sequence of its own, numbered from 0.
std::vector<std::optional<std::string>> reasons_of(const PictureBlock& block, std::size_t num_pictures);

// Warnings for people: "2 pictures were left out, as skip_broken says:", then the first reasons, a line each.
// num_left_out: pictures, which are more than the reasons where whole films are left out. option: that says
// so. None where nothing was left out.
std::vector<std::string> warnings_of_broken(std::span<const std::string> reasons, std::size_t num_left_out,
                                            std::string_view option);

// The pixels in one channel. REQUIRES: they have three.
void turn_grey(Split& split);

}  // namespace mash
