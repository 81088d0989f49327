// SPDX-License-Identifier: Apache-2.0
// A heuristic for each misdeed in each call: "hostile/loop-in-prepare". What was not let is told in the
// features: 1 where it was, 0 where it was not; a call without features to tell it in aborts where it was.
#include <array>
#include <cstdio>
#include <utility>

#include "mash/abi/entry.h"
#include "tests/hostile/misbehave.hpp"

namespace {

constexpr const char* kCalls[] = {"create", "dim", "prepare", "compute", "release", "destroy"};
enum Call { kCreate, kDim, kPrepare, kCompute, kRelease, kDestroy, kNumCalls };
constexpr unsigned kNumHeuristics = unsigned(kNumMisdeeds) * kNumCalls;

struct Instance {
  Misdeed misdeed;
  Call call;
  bool was_let = false;

  void comes_to(Call now) {
    if (now == call) was_let |= misbehave(misdeed);
  }
};

Instance* of(mash_instance_t* instance) { return reinterpret_cast<Instance*>(instance); }
Instance* of(mash_state_t* state) { return reinterpret_cast<Instance*>(state); }

template <unsigned I>
std::int32_t create(const mash_host_t*, const double*, std::uint32_t, mash_instance_t** out) {
  auto* instance = new Instance{Misdeed(I / kNumCalls), Call(I % kNumCalls), false};
  instance->comes_to(kCreate);
  *out = reinterpret_cast<mash_instance_t*>(instance);
  return MASH_OK;
}

std::int32_t dim(mash_instance_t* instance, mash_size_t, std::uint32_t* out) {
  of(instance)->comes_to(kDim);
  *out = 4;
  return MASH_OK;
}

std::int32_t prepare(mash_instance_t* instance, const mash_image_t*, const mash_view_t*, mash_state_t** out) {
  of(instance)->comes_to(kPrepare);
  *out = reinterpret_cast<mash_state_t*>(instance);
  return MASH_OK;
}

std::int32_t compute(mash_state_t* state, const std::uint32_t*, std::uint32_t num_features, float* out) {
  of(state)->comes_to(kCompute);
  const Instance& instance = *of(state);
  for (std::uint32_t i = 0; i < num_features; ++i) out[i] = feature_after(instance.misdeed, instance.was_let);
  // Behind the first image's values that is still room, for the third; behind the others' it is nobody's.
  if (instance.misdeed == kWritePastTheEnd && instance.call == kCompute) out[2 * num_features] = 1;
  return MASH_OK;
}

void release(mash_state_t* state) { of(state)->comes_to(kRelease); }

void destroy(mash_instance_t* instance) {
  of(instance)->comes_to(kDestroy);
  const bool is_told_nowhere = of(instance)->call == kDestroy && of(instance)->was_let;
  delete of(instance);
  if (is_told_nowhere) std::abort();
}

struct Table {
  std::array<std::array<char, 64>, kNumHeuristics> ids;
  std::array<mash_heuristic_t, kNumHeuristics> heuristics;

  template <unsigned I>
  void add() {
    std::snprintf(ids[I].data(), ids[I].size(), "hostile/%s-in-%s", kMisdeedNames[I / kNumCalls],
                  kCalls[I % kNumCalls]);
    heuristics[I] = {sizeof(mash_heuristic_t),
                     0,
                     ids[I].data(),
                     "1.0.0",
                     "MASH",
                     "does what it must not",
                     "Apache-2.0",
                     nullptr,
                     0,
                     &create<I>,
                     &dim,
                     &prepare,
                     &compute,
                     &release,
                     &destroy,
                     nullptr};
  }
  template <unsigned... I>
  explicit Table(std::integer_sequence<unsigned, I...>) {
    (add<I>(), ...);
  }
};

Table table{std::make_integer_sequence<unsigned, kNumHeuristics>()};

template <unsigned... I>
constexpr std::array<const mash_heuristic_t*, sizeof...(I)> pointers(std::integer_sequence<unsigned, I...>) {
  return {&table.heuristics[I]...};
}
constexpr auto kPointers = pointers(std::make_integer_sequence<unsigned, kNumHeuristics>());

}  // namespace

const mash_plugin_info_t mash_plugin = {MASH_PLUGIN_HANDSHAKE, kNumHeuristics, kPointers.data()};
