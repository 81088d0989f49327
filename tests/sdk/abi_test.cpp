// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <regex>

#include "framework/base/file.hpp"
#include "mash/abi/entry.h"

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
                            MEMBER(mash_plugin_info_t, heuristics, 32)};
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
Functions functions_of(const std::string& header) {
  static const std::regex kFunction(R"(\n[^\n(]*\(\*(\w+)\)\()");
  static const std::regex kTag(R"(\[[^\]]*thread[^\]]*\])");
  Functions functions;
  for (std::sregex_iterator match(header.begin(), header.end(), kFunction), end; match != end; ++match) {
    functions.all.push_back((*match)[1]);
    // The comment has to stand right above.
    const auto declaration = std::size_t(match->position());
    const std::size_t comment = header.rfind("/*", declaration);
    const bool is_above =
        comment != std::string::npos && declaration >= 2 && header.substr(declaration - 2, 2) == "*/";
    if (!is_above || !std::regex_search(header.substr(comment, declaration - comment), kTag))
      functions.untagged.push_back((*match)[1]);
  }
  return functions;
}

TEST(Abi, EveryFunctionTellsItsThreadAndState) {
  std::vector<std::string> all;
  for (const auto& entry : std::filesystem::directory_iterator(MASH_SOURCE_DIR "/sdk/include/mash/abi")) {
    const Functions functions = functions_of(*mash::read_file(entry.path()));
    EXPECT_THAT(functions.untagged, IsEmpty()) << entry.path();
    all.insert(all.end(), functions.all.begin(), functions.all.end());
  }
  EXPECT_THAT(all,
              ::testing::UnorderedElementsAre("create", "dim", "prepare", "compute", "release", "destroy",
                                              "get_extension", "set_error", "log", "get_extension"));
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
