// SPDX-License-Identifier: Apache-2.0
//
// Many numbers at once, for line_formulas-inl.hpp. Read once for each instruction set, by the source that
// includes it.
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#if defined(MASH_PACKED_PAIRS) == defined(HWY_TARGET_TOGGLE)
#ifdef MASH_PACKED_PAIRS
#undef MASH_PACKED_PAIRS
#else
#define MASH_PACKED_PAIRS
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mash::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kPacked = 32;
using D64 = hn::CappedTag<double, 8>;
using U64 = hn::RebindToUnsigned<D64>;

// 32 numbers. As each step is done for all before the next one, none waits for its own last step.
struct Packed {
  static constexpr std::size_t kVectors = kPacked / hn::MaxLanes(D64());
  hn::Vec<D64> vectors[kVectors];
};

// operation(i) for each vector i.
template <class Operation>
HWY_INLINE Packed each(const Operation& operation) {
  Packed result;
  for (std::size_t i = 0; i < Packed::kVectors; ++i) result.vectors[i] = operation(i);
  return result;
}

HWY_INLINE Packed load(const double* from) {
  return each([&](std::size_t i) { return hn::LoadU(D64(), from + i * hn::Lanes(D64())); });
}
HWY_INLINE void store(const Packed& numbers, double* to) {
  for (std::size_t i = 0; i < Packed::kVectors; ++i)
    hn::StoreU(numbers.vectors[i], D64(), to + i * hn::Lanes(D64()));
}
HWY_INLINE Packed all(double number) {
  return each([&](std::size_t) { return hn::Set(D64(), number); });
}

HWY_INLINE Packed operator+(const Packed& a, const Packed& b) {
  return each([&](std::size_t i) { return hn::Add(a.vectors[i], b.vectors[i]); });
}
HWY_INLINE Packed operator-(const Packed& a, const Packed& b) {
  return each([&](std::size_t i) { return hn::Sub(a.vectors[i], b.vectors[i]); });
}
HWY_INLINE Packed operator*(const Packed& a, const Packed& b) {
  return each([&](std::size_t i) { return hn::Mul(a.vectors[i], b.vectors[i]); });
}
HWY_INLINE Packed operator/(const Packed& a, const Packed& b) {
  return each([&](std::size_t i) { return hn::Div(a.vectors[i], b.vectors[i]); });
}
HWY_INLINE Packed operator+(const Packed& a, double b) { return a + all(b); }
HWY_INLINE Packed operator+(double a, const Packed& b) { return all(a) + b; }
HWY_INLINE Packed operator-(const Packed& a, double b) { return a - all(b); }
HWY_INLINE Packed operator-(double a, const Packed& b) { return all(a) - b; }
HWY_INLINE Packed operator*(const Packed& a, double b) { return a * all(b); }
HWY_INLINE Packed operator*(double a, const Packed& b) { return all(a) * b; }
HWY_INLINE Packed operator/(double a, const Packed& b) { return all(a) / b; }

HWY_INLINE Packed magnitude(const Packed& a) {
  return each([&](std::size_t i) { return hn::Abs(a.vectors[i]); });
}
HWY_INLINE Packed negative(const Packed& a) {
  return each([&](std::size_t i) { return hn::Neg(a.vectors[i]); });
}
HWY_INLINE Packed at_least(const Packed& a, double lowest) {
  return each([&](std::size_t i) { return hn::Max(a.vectors[i], hn::Set(D64(), lowest)); });
}
HWY_INLINE Packed where_negative(const Packed& condition, const Packed& then, const Packed& otherwise) {
  return each([&](std::size_t i) {
    return hn::IfThenElse(hn::Lt(condition.vectors[i], hn::Zero(D64())), then.vectors[i],
                          otherwise.vectors[i]);
  });
}
// The numbers a, negated where b is negative, -0 too.
HWY_INLINE Packed with_sign_of(const Packed& b, const Packed& a) {
  return each(
      [&](std::size_t i) { return hn::Xor(a.vectors[i], hn::And(b.vectors[i], hn::SignBit(D64()))); });
}

// number * 2^k for a normal result, where `shifted` is k + kExponentShift: k is added to the exponent's bits.
constexpr double kExponentShift = 0x1.8p52;
HWY_INLINE Packed times_power_of_two(const Packed& number, const Packed& shifted) {
  return each([&](std::size_t i) {
    const auto exponent = hn::ShiftLeft<52>(hn::BitCast(U64(), shifted.vectors[i]));
    return hn::BitCast(D64(), hn::Add(hn::BitCast(U64(), number.vectors[i]), exponent));
  });
}

// The same for one number.
HWY_INLINE double magnitude(double a) { return a < 0 ? -a : a; }
HWY_INLINE double negative(double a) { return -a; }
HWY_INLINE double at_least(double a, double lowest) { return a < lowest ? lowest : a; }
HWY_INLINE double where_negative(double condition, double then, double otherwise) {
  return condition < 0 ? then : otherwise;
}
HWY_INLINE double with_sign_of(double b, double a) { return std::signbit(b) ? -a : a; }
HWY_INLINE double times_power_of_two(double number, double shifted) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(number) +
                               (std::bit_cast<std::uint64_t>(shifted) << 52));
}

inline double sum_of_lanes(const double* lanes) {
  return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
}

// Sums in eight lanes: number i is added to lane i % 8, in order.
template <std::size_t kSums>
class PackedSums {
 public:
  HWY_INLINE PackedSums() {
    for (auto& sum : sums_)
      for (auto& vector : sum) vector = hn::Zero(D64());
  }

  HWY_INLINE void add(std::size_t sum, const Packed& numbers) {
    for (std::size_t i = 0; i < Packed::kVectors; ++i)
      sums_[sum][i % kVectors] = hn::Add(sums_[sum][i % kVectors], numbers.vectors[i]);
  }
  HWY_INLINE std::array<double, kSums> totals() const {
    std::array<double, kSums> totals;
    for (std::size_t sum = 0; sum < kSums; ++sum) {
      double lanes[8];
      for (std::size_t i = 0; i < kVectors; ++i)
        hn::StoreU(sums_[sum][i], D64(), lanes + i * hn::Lanes(D64()));
      totals[sum] = sum_of_lanes(lanes);
    }
    return totals;
  }

 private:
  static constexpr std::size_t kVectors = 8 / hn::MaxLanes(D64());
  hn::Vec<D64> sums_[kSums][kVectors];
};

// The same for one number at a time.
template <std::size_t kSums>
class PlainSums {
 public:
  // The lane of number i.
  PlainSums& of_number(std::size_t i) {
    lane_ = i % 8;
    return *this;
  }
  void add(std::size_t sum, double number) { lanes_[sum][lane_] += number; }
  std::array<double, kSums> totals() const {
    std::array<double, kSums> totals;
    for (std::size_t sum = 0; sum < kSums; ++sum) totals[sum] = sum_of_lanes(lanes_[sum]);
    return totals;
  }

 private:
  double lanes_[kSums][8] = {};
  std::size_t lane_ = 0;
};

}  // namespace mash::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
