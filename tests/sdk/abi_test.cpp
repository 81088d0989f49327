// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "framework/base/file.hpp"
#include "mash/abi/entry.h"
#include "mash/abi/image_maps.h"
#include "tests/support/places.hpp"

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Member {
  const char* name;
  std::size_t offset, expected;
};
#define MEMBER(type, member, expected) \
  Member { #type "::" #member, offsetof(type, member), expected }

// A plugin that was built with the first release has these offsets in it for ever. Never change a number:
// grow the ABI by a named extension.
TEST(Abi, LayoutIsFrozen) {
  EXPECT_EQ(MASH_ABI_VERSION, 1u);
  EXPECT_EQ(sizeof(mash_plane_t), 24u);
  EXPECT_EQ(sizeof(mash_image_t), 112u);
  EXPECT_EQ(sizeof(mash_size_t), 8u);
  EXPECT_EQ(sizeof(mash_view_t), 16u);
  EXPECT_EQ(sizeof(mash_host_t), 40u);
  EXPECT_EQ(sizeof(mash_parameter_t), 56u);
  EXPECT_EQ(sizeof(mash_heuristic_t), 120u);
  EXPECT_EQ(sizeof(mash_plugin_info_t), 40u);
  EXPECT_EQ(sizeof(mash_image_maps_t), 32u);
  const Member members[] = {MEMBER(mash_plane_t, origin, 0),
                            MEMBER(mash_plane_t, row_stride, 8),
                            MEMBER(mash_plane_t, column_stride, 16),
                            MEMBER(mash_image_t, struct_size, 0),
                            MEMBER(mash_image_t, num_channels, 4),
                            MEMBER(mash_image_t, width, 8),
                            MEMBER(mash_image_t, height, 12),
                            MEMBER(mash_image_t, gray, 16),
                            MEMBER(mash_image_t, red, 40),
                            MEMBER(mash_image_t, green, 64),
                            MEMBER(mash_image_t, blue, 88),
                            MEMBER(mash_size_t, width, 0),
                            MEMBER(mash_size_t, height, 4),
                            MEMBER(mash_view_t, x, 0),
                            MEMBER(mash_view_t, y, 4),
                            MEMBER(mash_view_t, width, 8),
                            MEMBER(mash_view_t, height, 12),
                            MEMBER(mash_host_t, struct_size, 0),
                            MEMBER(mash_host_t, abi_version, 4),
                            MEMBER(mash_host_t, context, 8),
                            MEMBER(mash_host_t, set_error, 16),
                            MEMBER(mash_host_t, log, 24),
                            MEMBER(mash_host_t, get_extension, 32),
                            MEMBER(mash_parameter_t, id, 0),
                            MEMBER(mash_parameter_t, summary, 8),
                            MEMBER(mash_parameter_t, type, 16),
                            MEMBER(mash_parameter_t, num_choices, 20),
                            MEMBER(mash_parameter_t, default_value, 24),
                            MEMBER(mash_parameter_t, minimum, 32),
                            MEMBER(mash_parameter_t, maximum, 40),
                            MEMBER(mash_parameter_t, choices, 48),
                            MEMBER(mash_heuristic_t, struct_size, 0),
                            MEMBER(mash_heuristic_t, flags, 4),
                            MEMBER(mash_heuristic_t, id, 8),
                            MEMBER(mash_heuristic_t, version, 16),
                            MEMBER(mash_heuristic_t, author, 24),
                            MEMBER(mash_heuristic_t, summary, 32),
                            MEMBER(mash_heuristic_t, license, 40),
                            MEMBER(mash_heuristic_t, parameters, 48),
                            MEMBER(mash_heuristic_t, num_parameters, 56),
                            MEMBER(mash_heuristic_t, create, 64),
                            MEMBER(mash_heuristic_t, dim, 72),
                            MEMBER(mash_heuristic_t, prepare, 80),
                            MEMBER(mash_heuristic_t, compute, 88),
                            MEMBER(mash_heuristic_t, release, 96),
                            MEMBER(mash_heuristic_t, destroy, 104),
                            MEMBER(mash_heuristic_t, get_extension, 112),
                            MEMBER(mash_plugin_info_t, abi_version, 0),
                            MEMBER(mash_plugin_info_t, plugin_size, 4),
                            MEMBER(mash_plugin_info_t, heuristic_size, 8),
                            MEMBER(mash_plugin_info_t, parameter_size, 12),
                            MEMBER(mash_plugin_info_t, host_size, 16),
                            MEMBER(mash_plugin_info_t, image_size, 20),
                            MEMBER(mash_plugin_info_t, num_heuristics, 24),
                            MEMBER(mash_plugin_info_t, heuristics, 32),
                            MEMBER(mash_image_maps_t, struct_size, 0),
                            MEMBER(mash_image_maps_t, integral, 8),
                            MEMBER(mash_image_maps_t, integral_of_squares, 16),
                            MEMBER(mash_image_maps_t, gradient, 24)};
  for (const Member& member : members) EXPECT_EQ(member.offset, member.expected) << member.name;
}

TEST(Abi, ConstantsAreFrozen) {
  EXPECT_EQ(int(MASH_OK), 0);
  EXPECT_EQ(int(MASH_ERROR), 1);
  EXPECT_EQ(int(MASH_OUT_OF_MEMORY), 2);
  EXPECT_EQ(int(MASH_UNSUPPORTED), 3);
  EXPECT_EQ(int(MASH_PARAMETER_INTEGER), 1);
  EXPECT_EQ(int(MASH_PARAMETER_REAL), 2);
  EXPECT_EQ(int(MASH_PARAMETER_CHOICE), 3);
  EXPECT_EQ(unsigned(MASH_SERIAL), 1u);
}

// The functions of a header, and of those the ones whose comment does not tell thread and state: "[any
// thread]".
struct Functions {
  std::vector<std::string> all, untagged;
};

bool has_tag(std::string_view comment) {
  const std::size_t open = comment.find('[');
  if (open == std::string_view::npos) return false;
  const std::size_t close = comment.find(']', open);
  if (close == std::string_view::npos) return false;
  return comment.substr(open, close - open).find("thread") != std::string_view::npos ||
         has_tag(comment.substr(close));
}

// The comment that ends right above the line that begins at `line`; "" where there is none.
std::string_view comment_above(std::string_view header, std::size_t line) {
  const std::string_view before = header.substr(0, line);
  return before.ends_with("*/\n") ? before.substr(before.rfind("/*")) : std::string_view();
}

Functions functions_of(std::string_view header) {
  Functions functions;
  for (std::size_t at = 0; (at = header.find("(*", at)) != std::string_view::npos; ++at) {
    const std::size_t name_end = header.find(')', at);
    if (header.substr(name_end, 2) != ")(") continue;
    const std::string name(header.substr(at + 2, name_end - at - 2));
    functions.all.push_back(name);
    if (!has_tag(comment_above(header, header.rfind('\n', at) + 1))) functions.untagged.push_back(name);
  }
  return functions;
}

TEST(Abi, EveryFunctionTellsItsThreadAndState) {
  std::vector<std::string> all;
  for (const auto& entry :
       std::filesystem::directory_iterator(mash::testing::source_folder() + "/sdk/include/mash/abi")) {
    const Functions functions = functions_of(*mash::read_file(entry.path()));
    EXPECT_THAT(functions.untagged, IsEmpty()) << entry.path();
    all.insert(all.end(), functions.all.begin(), functions.all.end());
  }
  EXPECT_THAT(
      all, ::testing::UnorderedElementsAre("create", "dim", "prepare", "compute", "release", "destroy",
                                           "get_extension", "set_error", "log", "get_extension", "integral",
                                           "integral_of_squares", "gradient", "num_cameras", "frame"));
}

TEST(Abi, AFunctionWithoutItsTagIsFound) {
  const std::string header =
      "struct s {\n"
      "  /* Fine. [any thread] */\n"
      "  void (*good)(int x);\n"
      "  int y; /* [any thread] */\n"
      "  /* Says [nothing] of it. */\n"
      "  const void* (*wrong_tag)(int x);\n\n"
      "  int32_t (*no_comment)(void);\n"
      "};\n";
  EXPECT_THAT(functions_of(header).all, ElementsAre("good", "wrong_tag", "no_comment"));
  EXPECT_THAT(functions_of(header).untagged, ElementsAre("wrong_tag", "no_comment"));
}

}  // namespace
