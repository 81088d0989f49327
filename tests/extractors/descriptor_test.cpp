// SPDX-License-Identifier: Apache-2.0
#include "framework/extractors/descriptor.hpp"

#include <limits>

#include "tests/extractors/plugins/raw.hpp"
#include "tests/extractors/test_plugins.hpp"

namespace mash {
namespace {

using ::testing::HasSubstr;

template <class Change>
std::string reason_after(Change change) {
  mash_heuristic_t heuristic = raw::heuristic("good");
  change(heuristic);
  return message_of(read_descriptor(heuristic));
}

// The reason for which a heuristic with this one parameter is refused.
std::string parameter_reason(mash_parameter_t parameter) {
  return reason_after([&](mash_heuristic_t& h) {
    h.parameters = &parameter;
    h.num_parameters = 1;
  });
}

constexpr mash_parameter_t kInteger = {"cell", "side", MASH_PARAMETER_INTEGER, 0, 4, 1, 8, nullptr};

TEST(Descriptor, AcceptsAGoodOne) {
  EXPECT_EQ(reason_after([](mash_heuristic_t&) {}), "");
  EXPECT_EQ(parameter_reason(kInteger), "");
}

TEST(Descriptor, ChecksIds) {
  for (const char* id : {"a", "hog", "3d-fft", "somebody/hog", "some-body/3"})
    EXPECT_EQ(reason_after([&](mash_heuristic_t& h) { h.id = id; }), "") << id;
  for (const char* id : {"", "-hog", "Hog", "hog_2", "a/b/c", "/hog", "hog/", "hög", "a b", "../hog"})
    EXPECT_THAT(reason_after([&](mash_heuristic_t& h) { h.id = id; }), HasSubstr("another form")) << id;
  EXPECT_THAT(reason_after([](mash_heuristic_t& h) { h.id = "columns"; }), HasSubstr("reserved"));
  EXPECT_THAT(reason_after([](mash_heuristic_t& h) { h.id = nullptr; }), HasSubstr("id is null"));
}

TEST(Descriptor, ChecksVersions) {
  for (const char* version : {"0.0.0", "10.2.33"})
    EXPECT_EQ(reason_after([&](mash_heuristic_t& h) { h.version = version; }), "") << version;
  for (const char* version : {"", "1", "1.2", "1.2.3.4", "1..3", "1.2.", "1.2.x", "v1.2.3"})
    EXPECT_THAT(reason_after([&](mash_heuristic_t& h) { h.version = version; }),
                HasSubstr("major.minor.patch"))
        << version;
}

TEST(Descriptor, ChecksTexts) {
  EXPECT_THAT(reason_after([](mash_heuristic_t& h) { h.author = nullptr; }), HasSubstr("author is null"));
  EXPECT_THAT(reason_after([](mash_heuristic_t& h) { h.license = nullptr; }), HasSubstr("license is null"));
  EXPECT_THAT(reason_after([](mash_heuristic_t& h) { h.summary = "two\nlines"; }),
              HasSubstr("control character"));
  EXPECT_THAT(reason_after([](mash_heuristic_t& h) { h.summary = "\xe9lev\xe9"; }),
              HasSubstr("its summary is not UTF-8"));
  const std::string endless(5000, 'x');
  EXPECT_THAT(reason_after([&](mash_heuristic_t& h) { h.summary = endless.c_str(); }),
              HasSubstr("longer than 1000"));
}

TEST(Descriptor, ChecksFunctionsFlagsAndSize) {
  EXPECT_THAT(reason_after([](mash_heuristic_t& h) { h.create = nullptr; }),
              HasSubstr("function create is null"));
  EXPECT_THAT(reason_after([](mash_heuristic_t& h) { h.dim = nullptr; }), HasSubstr("function dim is null"));
  EXPECT_THAT(reason_after([](mash_heuristic_t& h) { h.prepare = nullptr; }),
              HasSubstr("function prepare is null"));
  EXPECT_THAT(reason_after([](mash_heuristic_t& h) { h.compute = nullptr; }),
              HasSubstr("function compute is null"));
  EXPECT_THAT(reason_after([](mash_heuristic_t& h) { h.release = nullptr; }),
              HasSubstr("function release is null"));
  EXPECT_THAT(reason_after([](mash_heuristic_t& h) { h.destroy = nullptr; }),
              HasSubstr("function destroy is null"));
  EXPECT_THAT(reason_after([](mash_heuristic_t& h) { h.flags = 6; }), HasSubstr("flags 0x6"));
  EXPECT_THAT(reason_after([](mash_heuristic_t& h) { h.struct_size = 8; }),
              HasSubstr("descriptor of 8 bytes"));
  EXPECT_THAT(reason_after([](mash_heuristic_t& h) { h.num_parameters = 2; }), HasSubstr("no table"));
  EXPECT_THAT(reason_after([](mash_heuristic_t& h) {
                h.parameters = &kInteger;
                h.num_parameters = 1000000;
              }),
              HasSubstr("1000000 parameters"));
}

TEST(Descriptor, ChecksParameterRanges) {
  const auto changed = [](auto change) {
    mash_parameter_t parameter = kInteger;
    change(parameter);
    return parameter_reason(parameter);
  };
  EXPECT_THAT(changed([](auto& p) { p.id = "Cell"; }), HasSubstr("'Cell'"));
  EXPECT_THAT(changed([](auto& p) { p.id = "id"; }), HasSubstr("other than 'id'"));
  EXPECT_THAT(changed([](auto& p) { p.type = 9; }), HasSubstr("type 9"));
  EXPECT_THAT(changed([](auto& p) { p.default_value = 9; }), HasSubstr("default 9 is not within 1 to 8"));
  EXPECT_THAT(changed([](auto& p) { p.minimum = 9; }), HasSubstr("range 9 to 8"));
  EXPECT_THAT(changed([](auto& p) { p.maximum = std::numeric_limits<double>::infinity(); }),
              HasSubstr("finite"));
  EXPECT_THAT(changed([](auto& p) { p.default_value = std::numeric_limits<double>::quiet_NaN(); }),
              HasSubstr("default nan"));
  EXPECT_THAT(changed([](auto& p) { p.default_value = 4.5; }),
              HasSubstr("found 4.5, expected a whole number"));
  EXPECT_THAT(changed([](auto& p) { p.maximum = 1e300; }), HasSubstr("2^53"));
}

TEST(Descriptor, ChecksChoices) {
  static constexpr const char* kNames[] = {"l1", "l2", "l1"};
  mash_parameter_t choice = {"norm", "which", MASH_PARAMETER_CHOICE, 2, 1, 0, 1, kNames};
  EXPECT_EQ(parameter_reason(choice), "");
  choice.num_choices = 3;
  EXPECT_THAT(parameter_reason(choice), HasSubstr("expected 0 to 2"));
  choice.maximum = 2;
  EXPECT_THAT(parameter_reason(choice), HasSubstr("choice 2 'l1'"));
  choice.choices = nullptr;
  EXPECT_THAT(parameter_reason(choice), HasSubstr("0 choices"));
}

TEST(Descriptor, RefusesAParameterThatIsDeclaredTwice) {
  const mash_parameter_t twice[] = {kInteger, kInteger};
  EXPECT_THAT(reason_after([&](mash_heuristic_t& h) {
                h.parameters = twice;
                h.num_parameters = 2;
              }),
              HasSubstr("'cell' is declared twice"));
}

}  // namespace
}  // namespace mash
