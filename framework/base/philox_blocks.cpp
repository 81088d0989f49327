// SPDX-License-Identifier: Apache-2.0
#include "framework/base/philox_blocks.hpp"

#include <Random123/philox.h>

#include <algorithm>

#include "framework/base/elementary.hpp"
#include "framework/base/instruction_set.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "framework/base/philox_blocks.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h:
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mash::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D64 = hn::ScalableTag<std::uint64_t>;
using V64 = hn::Vec<D64>;

// The product of numbers below 2^32.
V64 multiply_halves(V64 a, V64 b) {
#if HWY_TARGET == HWY_SCALAR
  return hn::Mul(a, b);
#else
  const hn::Repartition<std::uint32_t, D64> d32;
  return hn::MulEven(hn::BitCast(d32, a), hn::BitCast(d32, b));
#endif
}

// RandomStream::uniform() of a 64-bit number.
hn::Vec<hn::RebindToFloat<D64>> to_uniform(V64 bits) {
  const hn::RebindToFloat<D64> df;
  return hn::Mul(hn::ConvertTo(df, hn::ShiftRight<11>(bits)), hn::Set(df, 0x1.0p-53));
}

// put(first block, x0, x1, x2, x3) for vectors of the Philox4x32-10 blocks whose counters are counter,
// counter + 1, ... and index: the four numbers of a block, each in a 64-bit lane. Gives how many blocks it
// did: a multiple of the vector's size.
template <class Put>
std::size_t philox_blocks(std::uint64_t counter, std::uint64_t index, std::uint64_t key,
                          std::size_t num_blocks, const Put& put) {
  constexpr int kRounds = 10;
  const D64 d;
  const std::size_t size = hn::Lanes(d);
  const V64 low_half = hn::Set(d, 0xffffffff);
  std::size_t block = 0;
  for (; block + size <= num_blocks; block += size) {
    const V64 counters = hn::Iota(d, counter + block);
    V64 x0 = hn::And(counters, low_half), x1 = hn::ShiftRight<32>(counters);
    V64 x2 = hn::Set(d, index & 0xffffffff), x3 = hn::Set(d, index >> 32);
    auto key0 = std::uint32_t(key), key1 = std::uint32_t(key >> 32);
    for (int round = 0; round < kRounds; ++round) {
      const V64 product0 = multiply_halves(x0, hn::Set(d, PHILOX_M4x32_0));
      const V64 product1 = multiply_halves(x2, hn::Set(d, PHILOX_M4x32_1));
      x0 = hn::Xor3(hn::ShiftRight<32>(product1), x1, hn::Set(d, key0));
      x1 = hn::And(product1, low_half);
      x2 = hn::Xor3(hn::ShiftRight<32>(product0), x3, hn::Set(d, key1));
      x3 = hn::And(product0, low_half);
      key0 += PHILOX_W32_0;
      key1 += PHILOX_W32_1;
    }
    put(block, x0, x1, x2, x3);
  }
  return block;
}

// Two numbers of each block.
std::size_t uniform_blocks(std::uint64_t counter, std::uint64_t index, std::uint64_t key,
                           std::size_t num_blocks, double* HWY_RESTRICT out) {
  const hn::RebindToFloat<D64> df;
  return philox_blocks(counter, index, key, num_blocks,
                       [&](std::size_t block, V64 x0, V64 x1, V64 x2, V64 x3) HWY_ATTR {
                         const V64 first = hn::Or(hn::ShiftLeft<32>(x0), x1);
                         const V64 second = hn::Or(hn::ShiftLeft<32>(x2), x3);
                         hn::StoreInterleaved2(to_uniform(first), to_uniform(second), df, out + 2 * block);
                       });
}

// Pairs of 32-bit numbers, two of each block.
std::size_t word_blocks(std::uint64_t counter, std::uint64_t index, std::uint64_t key, std::size_t num_blocks,
                        std::uint64_t* HWY_RESTRICT out) {
  return philox_blocks(counter, index, key, num_blocks,
                       [&](std::size_t block, V64 x0, V64 x1, V64 x2, V64 x3) HWY_ATTR {
                         const V64 first = hn::Or(hn::ShiftLeft<32>(x1), x0);
                         const V64 second = hn::Or(hn::ShiftLeft<32>(x3), x2);
                         hn::StoreInterleaved2(first, second, D64(), out + 2 * block);
                       });
}

// exponential_of each word.
void negative_log(std::size_t size, const std::uint32_t* HWY_RESTRICT words, float* HWY_RESTRICT out) {
  const hn::ScalableTag<float> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const hn::RebindToSigned<decltype(d)> di;
  const auto one = hn::Set(d, 1.0f), two = hn::Set(d, 2.0f);
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= size; i += hn::Lanes(d)) {
    const auto odd_words = hn::Or(hn::ShiftRight<1>(hn::LoadU(du, words + i)), hn::Set(du, 1));
    const auto x = hn::Mul(hn::ConvertTo(d, hn::BitCast(di, odd_words)), hn::Set(d, 0x1p-31f));
    const auto offset = hn::Sub(hn::BitCast(du, x), hn::Set(du, kSqrtHalfBitsOfFloat));
    const auto k = hn::ConvertTo(d, hn::ShiftRight<23>(hn::BitCast(di, offset)));
    const auto mantissa = hn::Add(hn::And(offset, hn::Set(du, 0x7fffff)), hn::Set(du, kSqrtHalfBitsOfFloat));
    const auto m = hn::BitCast(d, mantissa);
    const auto s = hn::Div(hn::Sub(m, one), hn::Add(m, one)), z = hn::Mul(s, s);
    auto p = hn::Set(d, 1.0f / 9);
    for (int odd = 7; odd >= 3; odd -= 2) p = hn::Add(hn::Mul(p, z), hn::Set(d, 1.0f / float(odd)));
    const auto rest = hn::Mul(hn::Mul(hn::Mul(two, s), z), p);
    const auto log = hn::Add(hn::Mul(k, hn::Set(d, kLn2OfFloat)), hn::Add(hn::Mul(two, s), rest));
    hn::StoreU(hn::Neg(log), d, out + i);
  }
  for (; i < size; ++i) out[i] = exponential_of(words[i]);
}

}  // namespace mash::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mash {
namespace {

HWY_EXPORT(uniform_blocks);
HWY_EXPORT(word_blocks);
HWY_EXPORT(negative_log);

}  // namespace

std::size_t philox_uniforms(std::uint64_t counter, std::uint64_t index, std::uint64_t key,
                            std::size_t num_blocks, double* out) {
  if (uses_plain_loops()) return 0;
  return HWY_DYNAMIC_DISPATCH(uniform_blocks)(counter, index, key, num_blocks, out);
}

std::size_t philox_words(std::uint64_t counter, std::uint64_t index, std::uint64_t key,
                         std::size_t num_blocks, std::uint64_t* out) {
  if (uses_plain_loops()) return 0;
  return HWY_DYNAMIC_DISPATCH(word_blocks)(counter, index, key, num_blocks, out);
}

float exponential_of(std::uint32_t word) { return -stable_logf(float(word >> 1 | 1) * 0x1p-31f); }

void exponentials_of(std::size_t size, const std::uint32_t* words, float* out) {
  if (uses_plain_loops())
    std::transform(words, words + size, out, exponential_of);
  else
    HWY_DYNAMIC_DISPATCH(negative_log)(size, words, out);
}

}  // namespace mash
#endif
