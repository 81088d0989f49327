// SPDX-License-Identifier: Apache-2.0
//
// The contract of every heuristic that is built; a new one is under test before its author writes a line. The
// suite runs over the built-in heuristics and over those that projects start from (tests/templates).
#include <gmock/gmock.h>

#include <cmath>
#include <numeric>

#include "builtin.hpp"

namespace mash {
namespace {

constexpr mash_size_t kSizes[] = {{8, 8}, {9, 13}, {8, 40}, {28, 28}, {33, 17}, {128, 64}};

std::vector<double> defaults(const HeuristicInfo& info) {
  std::vector<double> values;
  for (const ParameterInfo& parameter : info.parameters) values.push_back(parameter.default_value);
  return values;
}

void expect_finite(Builtin& heuristic, const Picture& picture) {
  for (const float value : heuristic.features(picture)) ASSERT_TRUE(std::isfinite(value));
  EXPECT_EQ(heuristic.instance().num_faults(), 0u);
}

// Calls body(info) for each heuristic, with its name in every failure.
template <class Body>
void for_each_heuristic(const Body& body) {
  ASSERT_FALSE(builtin().heuristics().empty());
  for (const HeuristicInfo& info : builtin().heuristics()) {
    SCOPED_TRACE(info.id);
    body(info);
  }
}

TEST(HeuristicContract, FeaturesAreFiniteAtAllSizesInGreyAndColour) {
  for_each_heuristic([](const HeuristicInfo& info) {
    Builtin heuristic(info, defaults(info));
    for (const mash_size_t size : kSizes)
      for (const std::uint32_t num_channels : {1u, 3u}) {
        SCOPED_TRACE(testing::Message() << size.width << " x " << size.height << " x " << num_channels);
        EXPECT_GE(heuristic.dim(size), 1u);
        expect_finite(heuristic, Picture(size, num_channels, textured(1)));
      }
  });
}

TEST(HeuristicContract, FlatImagesGiveFiniteFeatures) {
  for_each_heuristic([](const HeuristicInfo& info) {
    Builtin heuristic(info, defaults(info));
    for (const int value : {0, 128, 255}) {
      expect_finite(heuristic, Picture({28, 28}, 1, flat(std::uint8_t(value))));
      expect_finite(heuristic, Picture({9, 13}, 3, flat(std::uint8_t(value))));
    }
  });
}

TEST(HeuristicContract, AnySubsetInAnyOrderGivesTheSameValues) {
  for_each_heuristic([](const HeuristicInfo& info) {
    Builtin heuristic(info, defaults(info));
    for (const mash_size_t size : {mash_size_t{28, 28}, mash_size_t{33, 17}}) {
      const Picture picture(size, 3, textured(2));
      const std::vector<float> all = heuristic.features(picture);
      RandomStream random(1, "feature subset");
      std::vector<std::uint32_t> indices(500);
      for (std::uint32_t& index : indices) index = std::uint32_t(random.below(all.size()));
      indices[1] = indices[0];
      std::vector<float> some(indices.size());
      ASSERT_TRUE(heuristic.instance().extract(picture.abi(), picture.view(), indices, some));
      for (std::size_t i = 0; i < indices.size(); ++i)
        ASSERT_EQ(some[i], all[indices[i]]) << "feature " << indices[i];
    }
  });
}

TEST(HeuristicContract, FeaturesDependOnNoOtherImageAndNoOtherInstance) {
  for_each_heuristic([](const HeuristicInfo& info) {
    Builtin used(info, defaults(info)), fresh(info, defaults(info));
    const Picture picture({28, 28}, 1, textured(3)), bright({28, 28}, 1, flat(255)),
        other({33, 17}, 3, textured(4));
    const std::vector<float> first = used.features(picture);
    used.features(bright);
    used.features(other);
    EXPECT_EQ(used.features(picture), first);
    fresh.features(other);
    EXPECT_EQ(fresh.features(picture), first);
  });
}

TEST(HeuristicContract, StridesAndWhatLiesOutsideTheViewMakeNoDifference) {
  const Layout offset = {3, 5, 2, 1, 1, 0}, odd = {1, 0, 0, 2, 3, 7};
  for_each_heuristic([&](const HeuristicInfo& info) {
    Builtin heuristic(info, defaults(info));
    for (const std::uint32_t num_channels : {1u, 3u}) {
      const auto packed = heuristic.features(Picture({17, 23}, num_channels, textured(5)));
      EXPECT_EQ(heuristic.features(Picture({17, 23}, num_channels, textured(5), offset)), packed);
      EXPECT_EQ(heuristic.features(Picture({17, 23}, num_channels, textured(5), odd)), packed);
    }
  });
}

TEST(HeuristicContract, AGreyImageStoredAsColourGivesTheSameFeatures) {
  const auto gray = [](std::uint32_t x, std::uint32_t y, std::uint32_t) { return textured(6)(x, y, 0); };
  for_each_heuristic([&](const HeuristicInfo& info) {
    Builtin heuristic(info, defaults(info));
    EXPECT_EQ(heuristic.features(Picture({19, 12}, 3, gray)), heuristic.features(Picture({19, 12}, 1, gray)));
  });
}

// Whether it takes views of this size; where it does not, it says why.
bool takes(Builtin& heuristic, mash_size_t size) {
  const auto dim = heuristic.instance().dim(size);
  EXPECT_TRUE(dim.ok() || dim.error().message.find("unsupported: ") != std::string::npos)
      << dim.error().message;
  return dim.ok();
}

TEST(HeuristicContract, EveryParameterWorksAtItsLimits) {
  for_each_heuristic([](const HeuristicInfo& info) {
    for (std::size_t i = 0; i < info.parameters.size(); ++i)
      for (const double value : {info.parameters[i].minimum, info.parameters[i].maximum}) {
        SCOPED_TRACE(testing::Message() << info.parameters[i].id << " = " << value);
        std::vector<double> values = defaults(info);
        values[i] = value;
        Builtin heuristic(info, values);
        for (const mash_size_t size : {mash_size_t{8, 8}, mash_size_t{33, 17}})
          if (takes(heuristic, size)) expect_finite(heuristic, Picture(size, 3, textured(7)));
      }
  });
}

TEST(HeuristicContract, EveryParameterMatters) {
  for_each_heuristic([](const HeuristicInfo& info) {
    const Picture picture({24, 24}, 3, textured(8));
    const std::vector<float> usual = Builtin(info, defaults(info)).features(picture);
    for (std::size_t i = 0; i < info.parameters.size(); ++i) {
      const ParameterInfo& parameter = info.parameters[i];
      std::vector<double> values = defaults(info);
      values[i] = parameter.default_value == parameter.minimum ? parameter.maximum : parameter.minimum;
      Builtin changed(info, values);
      if (!takes(changed, picture.size())) continue;
      EXPECT_NE(changed.features(picture), usual) << parameter.id;
    }
  });
}

// Below 8 x 8 a heuristic may refuse, but must say why, and works again on the next view.
TEST(HeuristicContract, TinyViewsWorkOrAreRefusedWithAReason) {
  for_each_heuristic([](const HeuristicInfo& info) {
    Builtin heuristic(info, defaults(info));
    for (const mash_size_t size :
         {mash_size_t{1, 1}, mash_size_t{2, 2}, mash_size_t{1, 30}, mash_size_t{5, 3}})
      if (takes(heuristic, size)) expect_finite(heuristic, Picture(size, 1, textured(9)));
    expect_finite(heuristic, Picture({8, 8}, 1, textured(9)));
  });
}

TEST(HeuristicContract, SettingsOutsideTheirRangeAreRefused) {
  for_each_heuristic([](const HeuristicInfo& info) {
    for (std::size_t i = 0; i < info.parameters.size(); ++i)
      for (const double value : {info.parameters[i].minimum - 1, info.parameters[i].maximum + 1}) {
        std::vector<double> values = defaults(info);
        values[i] = value;
        const auto instance = builtin().host().open(info, values);
        ASSERT_FALSE(instance);
        EXPECT_THAT(instance.error().message, testing::HasSubstr(info.parameters[i].id));
      }
    const auto unknown = values_of(info, {{"no_such_setting", "1"}});
    ASSERT_FALSE(unknown);
    EXPECT_THAT(unknown.error().message, testing::HasSubstr("no_such_setting"));
  });
}

}  // namespace
}  // namespace mash
