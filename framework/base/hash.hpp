// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "framework/base/result.hpp"

namespace mash {

// SHA-256 in pieces, for what must be recognised for ever: data files, plugins, keys.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;

  void update(std::span<const std::byte> bytes);
  void update(std::string_view text) { update(std::as_bytes(std::span(text))); }
  // 64 hexadecimal digits. The object may not be used afterwards.
  std::string hex();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

std::string sha256(std::string_view text);

// XXH3, for what must only be seen to be whole: tiles and blocks of our own files.
std::uint64_t checksum(std::span<const std::byte> bytes);

// Numbers that look random and follow from key and value alone: where random choices are keyed by names.
std::uint64_t keyed_hash(std::uint64_t key, std::string_view value);
std::uint64_t keyed_hash(std::uint64_t key, std::uint64_t value);

}  // namespace mash
