// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "framework/base/result.hpp"
#include "framework/render/data_table.hpp"

namespace mash {

// Writes a file of NumPy arrays (.npz: a ZIP of .npy, not compressed), piece by piece, so that no array has
// to fit into memory. The file is at its place once `close` has put it there; until then it has the ending
// .part.
//
//   open  ( begin  write* )*  close
//
// Errors (kFailure): the disk's; from then on every call gives one.
class NpzWriter {
 public:
  static Result<NpzWriter> open(const std::filesystem::path& path);
  NpzWriter(NpzWriter&&) noexcept;
  ~NpzWriter();  // without `close`: there is no file

  // An array of this type ("<f4") and shape, whose bytes are written next, rows first. REQUIRES: the array
  // before has all its bytes.
  Status begin(std::string_view name, std::string_view dtype, std::span<const std::size_t> shape);
  Status write(std::span<const std::byte> bytes);
  Status close();

  // A whole array of one dimension.
  Status add(std::string_view name, const DataValues& values);

 private:
  struct State;
  explicit NpzWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace mash
