// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <mutex>
#include <vector>

#include "framework/base/parallel.hpp"
#include "framework/dataset/dataset.hpp"

namespace mash {

// Tells pictures apart by what they show: 128 bits of a SHA-256.
struct ContentKey {
  std::uint64_t high = 0, low = 0;
  auto operator<=>(const ContentKey&) const = default;
};

// The content from which the features of a picture follow.
enum class Content {
  kPicture,  // its pixels
  kFilm      // those of its whole film with their cameras, and its place in it
};

// The keys of all pictures of a data set, training examples first. They are computed when they are first
// asked for. Any number of threads may ask.
class PictureKeys {
 public:
  // dataset: of pictures, not endless; outlives it.
  PictureKeys(const Dataset& dataset, const Workers& workers) : dataset_(dataset), workers_(workers) {}

  const std::vector<ContentKey>& of(Content content);

 private:
  const Dataset& dataset_;
  const Workers& workers_;
  std::mutex mutex_;
  std::array<std::vector<ContentKey>, 2> keys_;
};

}  // namespace mash
