// SPDX-License-Identifier: Apache-2.0
// Many random numbers at once, with the bits of one after another.
#include "framework/base/elementary.hpp"
#include "framework/base/random.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "framework/base/random_fill.cpp"
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

// Two numbers each of the Philox4x32-10 blocks whose counters are counter, counter + 1, ... and index. Gives
// how many blocks it did: a multiple of the vector's size.
std::size_t uniform_blocks(std::uint64_t counter, std::uint64_t index, std::uint64_t key,
                           std::size_t num_blocks, double* HWY_RESTRICT out) {
  constexpr int kRounds = 10;
  const D64 d;
  const hn::RebindToFloat<D64> df;
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
    const V64 first = hn::Or(hn::ShiftLeft<32>(x0), x1), second = hn::Or(hn::ShiftLeft<32>(x2), x3);
    hn::StoreInterleaved2(to_uniform(first), to_uniform(second), df, out + 2 * block);
  }
  return block;
}

// -stable_log of 1 - x, in place.
void negative_log(std::size_t size, double* HWY_RESTRICT values) {
  const D64 d;
  const hn::RebindToFloat<D64> df;
  const hn::RebindToSigned<D64> di;
  const auto one = hn::Set(df, 1.0), two = hn::Set(df, 2.0);
  std::size_t i = 0;
  for (; i + hn::Lanes(df) <= size; i += hn::Lanes(df)) {
    const auto x = hn::Sub(one, hn::LoadU(df, values + i));
    const auto offset = hn::Sub(hn::BitCast(d, x), hn::Set(d, kSqrtHalfBits));
    const auto k = hn::ConvertTo(df, hn::ShiftRight<52>(hn::BitCast(di, offset)));
    const auto m =
        hn::BitCast(df, hn::Add(hn::And(offset, hn::Set(d, 0xfffffffffffff)), hn::Set(d, kSqrtHalfBits)));
    const auto s = hn::Div(hn::Sub(m, one), hn::Add(m, one)), z = hn::Mul(s, s);
    auto p = hn::Set(df, 1.0 / 21);
    for (int odd = 19; odd >= 3; odd -= 2) p = hn::Add(hn::Mul(p, z), hn::Set(df, 1.0 / odd));
    const auto rest = hn::Add(hn::Mul(hn::Mul(hn::Mul(two, s), z), p), hn::Mul(k, hn::Set(df, kLn2Low)));
    const auto log = hn::Add(hn::Mul(k, hn::Set(df, kLn2High)), hn::Add(hn::Mul(two, s), rest));
    hn::StoreU(hn::Neg(log), df, values + i);
  }
  for (; i < size; ++i) values[i] = -stable_log(1 - values[i]);
}

}  // namespace mash::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mash {
namespace {

HWY_EXPORT(uniform_blocks);
HWY_EXPORT(negative_log);

}  // namespace

void RandomStream::uniform(std::span<double> out) {
  std::size_t i = 0;
  while (i < out.size() && position_ == 2) out[i++] = uniform();
  if (position_ == 4) {
    const std::uint64_t counter = std::uint64_t(counter_.v[1]) << 32 | counter_.v[0];
    const std::uint64_t index = std::uint64_t(counter_.v[3]) << 32 | counter_.v[2];
    const std::uint64_t key = std::uint64_t(key_.v[1]) << 32 | key_.v[0];
    const std::size_t num_blocks =
        HWY_DYNAMIC_DISPATCH(uniform_blocks)(counter, index, key, (out.size() - i) / 2, out.data() + i);
    counter_.v[0] = std::uint32_t(counter + num_blocks);
    counter_.v[1] = std::uint32_t((counter + num_blocks) >> 32);
    i += 2 * num_blocks;
  }
  for (; i < out.size(); ++i) out[i] = uniform();
}

void RandomStream::exponential(std::span<double> out) {
  uniform(out);
  HWY_DYNAMIC_DISPATCH(negative_log)(out.size(), out.data());
}

}  // namespace mash
#endif
