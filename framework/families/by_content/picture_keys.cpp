// SPDX-License-Identifier: Apache-2.0
#include "framework/families/by_content/picture_keys.hpp"

#include <string>
#include <string_view>

#include "framework/base/hash.hpp"

namespace mash {
namespace {

constexpr std::size_t kDigits = 16;  // hexadecimal ones of 64 bits

ContentKey key_of(Sha256& hash) {
  const std::string hex = hash.hex();
  const auto number_at = [&](std::size_t begin) {
    std::uint64_t number = 0;
    for (const char digit : std::string_view(hex).substr(begin, kDigits))
      number = 16 * number + std::uint64_t(digit <= '9' ? digit - '0' : digit - 'a' + 10);
    return number;
  };
  return {number_at(0), number_at(kDigits)};
}

// The keys of examples [begin, end), which are a film.
void put_film(const Split& split, const ImageShape& shape, std::size_t begin, std::size_t end,
              ContentKey* keys) {
  Sha256 hash;
  for (std::size_t n = begin; n < end; ++n) {
    hash.update(std::to_string(split.frames[n].camera) + "\n");
    hash.update(std::as_bytes(split.image(n, shape)));
  }
  const ContentKey film = key_of(hash);
  for (std::size_t n = begin; n < end; ++n)
    keys[n] = {film.high, keyed_hash(film.low, split.frames[n].place)};
}

// Places of the first pictures of films, and behind them the number of pictures.
std::vector<std::size_t> beginnings_of_films(const Split& split) {
  std::vector<std::size_t> beginnings;
  for (std::size_t n = 0; n < split.num_examples; ++n)
    if (n == 0 || split.frames[n].place == 0) beginnings.push_back(n);
  beginnings.push_back(split.num_examples);
  return beginnings;
}

void put_keys(const Split& split, const ImageShape& shape, Content content, const Workers& workers,
              ContentKey* keys) {
  if (content == Content::kFilm && !split.frames.empty()) {
    const std::vector<std::size_t> beginnings = beginnings_of_films(split);
    workers.for_ranges(beginnings.size() - 1, 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t film = first; film < last; ++film)
        put_film(split, shape, beginnings[film], beginnings[film + 1], keys);
    });
    return;
  }
  constexpr std::size_t kTogether = 64;
  workers.for_ranges(split.num_examples, kTogether, [&](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) {
      Sha256 hash;
      hash.update(std::as_bytes(split.image(n, shape)));
      keys[n] = key_of(hash);
    }
  });
}

}  // namespace

const std::vector<ContentKey>& PictureKeys::of(Content content) {
  const std::lock_guard lock(mutex_);
  std::vector<ContentKey>& keys = keys_[std::size_t(content)];
  if (!keys.empty()) return keys;
  keys.resize(dataset_.train.num_examples + dataset_.test.num_examples);
  put_keys(dataset_.train, dataset_.shape, content, workers_, keys.data());
  put_keys(dataset_.test, dataset_.shape, content, workers_, keys.data() + dataset_.train.num_examples);
  return keys;
}

}  // namespace mash
