// SPDX-License-Identifier: Apache-2.0
//
// A target as libFuzzer wants it. The first folder it is given gets the seeds.
#include <cstdint>
#include <fstream>

#include "framework/base/hash.hpp"
#include "tests/fuzz/target.hpp"

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  for (int i = 1; i < *argc; ++i) {
    const std::filesystem::path folder = (*argv)[i];
    if (!std::filesystem::is_directory(folder)) continue;
    for (const std::string& seed : mash::fuzz::seeds())
      std::ofstream(folder / mash::sha256(seed), std::ios::binary) << seed;
    break;
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  mash::fuzz::take({reinterpret_cast<const char*>(data), size});
  return 0;
}
