// SPDX-License-Identifier: Apache-2.0
#include "framework/extractors/guard.hpp"

#include <cfenv>
#include <cmath>
#include <limits>
#include <thread>

#include "tests/extractors/test_image.hpp"
#include "tests/extractors/test_plugins.hpp"

namespace mash {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const TestImage& image() {
  static const TestImage image(4, 2, 1, {1, 2, 3, 4, 5, 6, 7, 8});
  return image;
}

// Prepares and computes all features; the first error, or "".
std::string run(GuardedHeuristic& heuristic, std::vector<float>& out) {
  if (const Status prepared = heuristic.prepare(image().abi(), image().whole()); !prepared.ok())
    return prepared.error().message;
  const Status computed = heuristic.compute({}, out);
  const Status released = heuristic.release();
  return message_of(computed.ok() ? released : computed);
}

TEST(Guard, EnforcesTheLifeCycle) {
  const auto opened = open_guarded("modern", {0, 1, 0});
  ASSERT_EQ(message_of(opened), "");
  GuardedHeuristic& heuristic = **opened;
  std::vector<float> out(8);
  EXPECT_THAT(message_of(heuristic.compute({}, out)), HasSubstr("illegal compute: no view is prepared"));
  EXPECT_THAT(message_of(heuristic.release()), HasSubstr("illegal release: no view is prepared"));
  ASSERT_TRUE(heuristic.prepare(image().abi(), image().whole()).ok());
  EXPECT_THAT(message_of(heuristic.prepare(image().abi(), image().whole())),
              HasSubstr("illegal prepare: a view is prepared already"));
  EXPECT_EQ(*heuristic.dim({2, 2}), 4u) << "dim is legal at any time";
  EXPECT_TRUE(heuristic.compute({}, out).ok()) << "the illegal call must not end the view";
  EXPECT_TRUE(heuristic.release().ok());
  EXPECT_THAT(message_of(heuristic.release()), HasSubstr("illegal release"));
  EXPECT_EQ(run(heuristic, out), "");
}

TEST(Guard, ChecksItsCallers) {
  const auto opened = open_guarded("modern", {0, 1, 0});
  GuardedHeuristic& heuristic = **opened;
  for (const mash_view_t view :
       {mash_view_t{0, 0, 5, 2}, {3, 0, 2, 2}, {0, 0, 0, 2}, {~0u, 0, 2, 2}, {0, 1, 4, ~0u}})
    EXPECT_THAT(message_of(heuristic.prepare(image().abi(), view)), HasSubstr("not within the image of 4x2"));
  EXPECT_THAT(message_of(heuristic.dim({0, 3})), HasSubstr("0x3"));
  ASSERT_TRUE(heuristic.prepare(image().abi(), image().whole()).ok());
  std::vector<float> out(2);
  EXPECT_THAT(message_of(heuristic.compute({}, out)), HasSubstr("room for 2 values, expected 8"));
  const std::vector<std::uint32_t> beyond = {0, 8};
  EXPECT_THAT(message_of(heuristic.compute(beyond, out)), HasSubstr("feature 8, expected less than 8"));
}

TEST(Guard, ChecksParameterValues) {
  EXPECT_THAT(message_of(open_guarded("modern", {0, 1})), HasSubstr("2 parameter values, expected 3"));
  EXPECT_THAT(message_of(open_guarded("modern", {0, 2.5, 0})), HasSubstr("'scale' is 2.5"));
  EXPECT_THAT(message_of(open_guarded("modern", {0.5, 1, 0})),
              HasSubstr("'offset' is 0.5, expected a whole number"));
  EXPECT_THAT(message_of(open_guarded("modern", {0, std::nan(""), 0})), HasSubstr("'scale' is nan"));
}

TEST(Guard, PassesOnWhatTheHeuristicSays) {
  EXPECT_EQ(message_of(open_guarded("modern", {10, 1, 0})),
            "heuristic 'test/modern': create: unsupported: an offset of 10");
  EXPECT_EQ(message_of(open_guarded("modern", {-10, 1, 0})),
            "heuristic 'test/modern': create: out of memory");
  EXPECT_EQ(message_of(open_guarded("create_fails")),
            "heuristic 'create-fails': create: no model file?[31m, says the plugin")
      << "copied during the call, without control characters";
  const auto opened = open_guarded("modern", {0, 1, 0});
  EXPECT_THAT(message_of((*opened)->dim({9, 2})), HasSubstr("dim: unsupported: views wider than 8 pixels"));
  EXPECT_EQ((*opened)->dim({9, 2}).error().kind, ErrorKind::kInput);
}

TEST(Guard, RefusesABrokenContract) {
  std::vector<float> out(4);
  EXPECT_THAT(message_of(open_guarded("null_instance")),
              HasSubstr("create: returned MASH_OK without an instance"));
  EXPECT_THAT(run(**open_guarded("null_state"), out), HasSubstr("prepare: returned MASH_OK without a state"));
  EXPECT_THAT(run(**open_guarded("unknown_status"), out),
              HasSubstr("compute: returned the unknown status 17"));
  EXPECT_THAT(message_of((*open_guarded("dim_zero"))->dim({8, 8})),
              HasSubstr("0 features for views of 8x8 pixels"));
  EXPECT_THAT(message_of((*open_guarded("dim_absurd"))->dim({8, 8})),
              HasSubstr("returned 4000000000 features for views of 8x8 pixels, expected at most 16777216"));
}

TEST(Guard, RefusesADimThatChanges) {
  const auto opened = open_guarded("dim_changes");
  EXPECT_EQ(*(*opened)->dim({8, 8}), 1u);
  EXPECT_THAT(message_of((*opened)->dim({8, 8})),
              HasSubstr("returned 2 features for views of 8x8 pixels and 1 before"));
  EXPECT_TRUE((*opened)->dim({8, 9}).ok()) << "another size may have another number";
}

TEST(Guard, CountsValuesThatAreNotFiniteAsFaults) {
  const auto opened = open_guarded("not_finite");
  const TestImage wide(6, 1, 1, {0, 0, 0, 0, 0, 0});
  std::vector<float> out(6);
  ASSERT_TRUE((*opened)->prepare(wide.abi(), wide.whole()).ok());
  ASSERT_TRUE((*opened)->compute({}, out).ok());
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(std::isnan(out[std::size_t(i)])) << i;
  EXPECT_EQ(out[4], 5);
  EXPECT_EQ((*opened)->num_faults(), 4u);
  const char* expected[] = {"feature 0 is NaN", "feature 1 is infinity", "feature 2 is minus infinity",
                            "feature 3 was not written"};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ((*opened)->first_faults()[i].message, expected[i]);
    EXPECT_EQ((*opened)->first_faults()[i].heuristic, "not-finite");
    EXPECT_EQ((*opened)->first_faults()[i].call, "compute");
  }
  const std::vector<std::uint32_t> again = {1, 1};
  std::vector<float> two(2);
  for (int i = 0; i < 100; ++i) ASSERT_TRUE((*opened)->compute(again, two).ok());
  EXPECT_EQ((*opened)->num_faults(), 204u);
  EXPECT_EQ((*opened)->first_faults().size(), 8u) << "the first few in words, not all";
  EXPECT_EQ((*opened)->first_faults()[4].message, "feature 1 is infinity");
}

// Parameters of the plugin: which call throws (1 create ... 6 destroy), and what (0 int, 1 bad_alloc, 2
// runtime_error).
class GuardAgainstThrows : public ::testing::TestWithParam<int> {
 protected:
  std::string expected() const {
    const char* kinds[] = {"not a std::exception", "std::bad_alloc", "the plugin's own words"};
    return kinds[GetParam()];
  }
  double kind() const { return GetParam(); }
};

TEST_P(GuardAgainstThrows, InCreate) {
  EXPECT_THAT(message_of(open_guarded("throws", {1, kind()})),
              AllOf(HasSubstr("create"), HasSubstr(expected())));
}
TEST_P(GuardAgainstThrows, InDim) {
  const auto opened = open_guarded("throws", {2, kind()});
  EXPECT_THAT(message_of((*opened)->dim({8, 8})), AllOf(HasSubstr("dim"), HasSubstr(expected())));
}
TEST_P(GuardAgainstThrows, InPrepareComputeRelease) {
  const char* names[] = {"prepare", "compute", "release"};
  for (int call = 3; call <= 5; ++call) {
    const auto opened = open_guarded("throws", {double(call), kind()});
    std::vector<float> out(4);
    // Twice: after a throw the instance is usable, and in the same state as before.
    for (int i = 0; i < 2; ++i)
      EXPECT_THAT(run(**opened, out),
                  AllOf(HasSubstr(names[call - 3]), HasSubstr(expected()), Not(HasSubstr("illegal"))));
  }
}
TEST_P(GuardAgainstThrows, InDestroy) {
  auto opened = open_guarded("throws", {6, kind()});
  ASSERT_TRUE(opened.ok());
  EXPECT_NO_THROW(opened->reset());
}
INSTANTIATE_TEST_SUITE_P(Kinds, GuardAgainstThrows, ::testing::Values(0, 1, 2));

TEST(Guard, CallsSerialHeuristicsOneAtATime) {
  std::vector<std::thread> threads;
  std::vector<float> overlaps(4, -1);
  for (float& overlap : overlaps)
    threads.emplace_back([&overlap] {
      const auto opened = open_guarded("serial");
      std::vector<float> out(4);
      for (int i = 0; i < 300; ++i) ASSERT_EQ(run(**opened, out), "");
      overlap = out[0];
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(overlaps, ::testing::Each(0.0f));
}

TEST(Guard, DestroysWithAViewStillPrepared) {
  auto opened = open_guarded("modern", {0, 1, 0});
  ASSERT_TRUE((*opened)->prepare(image().abi(), image().whole()).ok());
  opened->reset();  // the sanitizers watch
}

// The smallest normal number halved, and a third, under the thread's present rules.
std::pair<float, float> arithmetic() {
  volatile float smallest = std::numeric_limits<float>::min(), one = 1, three = 3;
  return {smallest / 2, one / three};
}

TEST(Guard, LeavesTheArithmeticAsItWas) {
  const auto before = arithmetic();
  std::vector<float> out(4);
  for (int call = 0; call < 6; ++call)
    for (int change = 0; change < 4; ++change) {
      auto opened = open_guarded("leaves_arithmetic", {double(call), double(change)});
      ASSERT_EQ(message_of(opened), "");
      EXPECT_EQ(run(**opened, out), "");
      *opened = nullptr;
      EXPECT_EQ(arithmetic(), before) << "call " << call << ", change " << change;
      EXPECT_EQ(std::fegetround(), FE_TONEAREST) << "call " << call << ", change " << change;
    }
}

// As -ffast-math links a constructor that sets flush-to-zero.
TEST(Guard, LeavesTheArithmeticAsItWasWhereAPluginIsLoaded) {
  const auto before = arithmetic();
  auto opened = open_guarded("arithmetic_at_load");
  ASSERT_EQ(message_of(opened), "");
  EXPECT_EQ(arithmetic(), before) << "loaded";
  EXPECT_EQ(std::fegetround(), FE_TONEAREST) << "loaded";
  *opened = nullptr;
  EXPECT_EQ(arithmetic(), before) << "closed";
  EXPECT_EQ(std::fegetround(), FE_TONEAREST) << "closed";
}

}  // namespace
}  // namespace mash
