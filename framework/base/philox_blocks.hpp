// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace mash {

// Many numbers of a RandomStream at once, with the bits that it gives one after another. A block has four
// numbers of 32 bits; blocks have the counters counter, counter + 1, ... with `index` and `key`. Out of
// num_blocks they make as many as fill whole vectors of the processor, and give how many these are: none
// where plain loops are chosen, as the caller makes the others one by one.

// out: two numbers of RandomStream::uniform for each block.
std::size_t philox_uniforms(std::uint64_t counter, std::uint64_t index, std::uint64_t key,
                            std::size_t num_blocks, double* out);
// out: two pairs of numbers of RandomStream::next_u32 for each block, the first of a pair in the lower half.
std::size_t philox_words(std::uint64_t counter, std::uint64_t index, std::uint64_t key,
                         std::size_t num_blocks, std::uint64_t* out);

// The number of RandomStream::exponential that a number of RandomStream::next_u32 gives.
float exponential_of(std::uint32_t word);
// out[i] = exponential_of(words[i]).
void exponentials_of(std::size_t size, const std::uint32_t* words, float* out);

}  // namespace mash
