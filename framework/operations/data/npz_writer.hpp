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

// Writes a file of NumPy arrays (.npz: an uncompressed ZIP of .npy files) piece by piece, so that no array
// has to fit into memory. Until `close` the file's name ends in .part; `close` gives it its own name.
//
//   open  ( begin  write* )*  close
//
// Errors (kFailure): the disk's. After an error every call returns an error.
class NpzWriter {
 public:
  static Result<NpzWriter> open(const std::filesystem::path& path);
  NpzWriter(NpzWriter&&) noexcept;
  ~NpzWriter();  // without `close`: there is no file

  // Begins an array of this type ("<f4") and shape. Its bytes are written next, row by row. REQUIRES: all
  // bytes of the array before were written.
  Status begin(std::string_view name, std::string_view dtype, std::span<const std::size_t> shape);
  Status write(std::span<const std::byte> bytes);
  Status close();

  // Writes a whole array of one dimension.
  Status add(std::string_view name, const DataValues& values);

 private:
  struct State;
  explicit NpzWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace mash
