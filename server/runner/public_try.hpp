// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "framework/base/work_context.hpp"
#include "framework/dataset/dataset.hpp"

namespace mash::server {

// Bytes that the features of a submission may take on disk while they are computed.
inline constexpr std::uint64_t kMostFamilyBytes = std::uint64_t(8) << 30;

// Pictures of a board that everybody may see, and how many it has in all.
struct PublicPictures {
  ImageShape shape;
  std::size_t num_all = 0;
  std::vector<std::vector<std::uint8_t>> pixels;  // of some training pictures
};
PublicPictures public_pictures_of(const Dataset& dataset);

// Shows a plugin's heuristic the public pictures in a box, before it is shown any other: what it says of
// these may be told to everybody. Errors (kInput): in its own words; its features would take more than
// kMostFamilyBytes of all pictures. kStopped; kFailure: this machine has no box.
Status try_on_public_pictures(const std::filesystem::path& plugin, const PublicPictures& pictures,
                              const WorkContext& work);

}  // namespace mash::server
