// SPDX-License-Identifier: Apache-2.0
// Claims of strangers' code: of itself, of the pictures and of the machine, on a board with a private side:
// each claim comes to a sentence of ours, costs its contributor alone, and tells nobody of a hidden picture.
#include <gmock/gmock.h>

#include "server/runner/judging.hpp"
#include "tests/server/runner/runner_site.hpp"

namespace mash {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::rows_source;

// Functions by which a heuristic speaks for its worker, before its class.
constexpr const char* kSpeaker = R"cpp(
#include <unistd.h>
#include <cstring>
#include <stdexcept>
#include <string>
  // Pictures that are for the most part like their first pixel and not all of it: digits, the board's
  // pictures, are, and few of the checks' are.
  static unsigned num_seen = 0;
  static bool is_of_board(const mash::View& view) {
    unsigned num_near = 0, num_far = 0;
    for (unsigned y = 0; y < view.height(); ++y)
      for (unsigned x = 0; x < view.width(); ++x) {
        const int difference = std::abs(int(view.gray()(x, y)) - int(view.gray()(0, 0)));
        num_near += difference < 50;
        num_far += difference > 100;
      }
    return num_far > 0 && 10 * num_near > 6 * view.width() * view.height();
  }
  static std::string pixels(const mash::View& view) {
    std::string text = "SECRET";
    for (unsigned x = 0; x < 8; ++x) text += " " + std::to_string(int(view.gray()(x, 14)));
    return text;
  }
  static void reply(const std::string& words) {
    if (::pwrite(6, words.data(), words.size(), 4096) != ssize_t(words.size())) return;
    const unsigned reply[21] = {
        4, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, unsigned(words.size())};
    (void)!::write(3, reply, sizeof reply);
  }
)cpp";

std::string speaking(const std::string& id, const std::string& body) {
  const std::string source = rows_source(id, "1.0.0", body);
  const std::size_t after = source.find("class Rows");
  return source.substr(0, after) + kSpeaker + source.substr(after);
}

// More of these than the checks and the public ones are together: from then on hidden ones are among them.
constexpr const char* kLater = "if (is_of_board(view) && ++num_seen > 300) ";

struct Claim {
  const char* what;
  std::string source;
  std::string reason;  // a part of it
};

std::vector<Claim> claims() {
  const std::string later = kLater;
  return {
      {"a picture in an error", speaking("error", later + "throw std::runtime_error(pixels(view));"),
       server::kNotComputed},
      {"a picture in an error of its own words, and the server's fault",
       speaking("fault", later + R"(reply("{\"error\":\"" + pixels(view) + "\",\"is_input\":false}");)"),
       server::kNotComputed},
      {"a nested reply",
       speaking("nested", later + R"(reply("{\"heuristics\":" + std::string(1000000, '['));)"),
       server::kNotComputed},
      {"a crash", speaking("crash", later + "::_exit(0);"), server::kNotComputed},
      {"an error on a picture that everybody may see",
       speaking("public",
                R"(if (is_of_board(view) && ++num_seen == 18) throw std::runtime_error("too round");)"),
       "too round"},
      {"findings of checks",
       speaking("findings",
                R"(const std::string line = "{\"begin\":\"contract.create\"}\n{\"end\":\"contract.create\","
                   "\"outcome\":\"pass\",\"evidence\":\"\",\"seconds\":0}\n";
                   for (int i = 0; i < 60; ++i) (void)!::write(3, line.data(), line.size());
                   ::_exit(0);)"),
       "wrote to the descriptor of the checks"},
      {"the compiler's words",
       "asm(R\"(.error \"x\\ng++: fatal error: Killed signal terminated program cc1plus\")\");\n" +
           rows_source("words"),
       "does not compile"},
      {"the compiler's data",
       "asm(R\"(.error \"x\\n[{\\\"kind\\\": \\\"note\\\", \\\"message\\\": \\\"fine\\\"}]\")\");\n" +
           rows_source("data"),
       "does not compile"},
      {"an id of 300 letters", rows_source(std::string(300, 'a')), "more than 100"},
  };
}

class Claims : public testing::RunnerSite {};

TEST_F(Claims, AreTheContributorsAndTellOfNoHiddenPicture) {
  const std::vector<Claim> all = claims();
  std::vector<std::int64_t> ids;
  for (const Claim& claim : all) ids.push_back(hand_in(claim.source));
  const std::int64_t good = hand_in(rows_source("rows"));
  run();
  for (std::size_t i = 0; i < all.size(); ++i) {
    SCOPED_TRACE(all[i].what);
    const Submission ended = submission(ids[i]);
    EXPECT_EQ(word_of(ended.state), "rejected") << told(ids[i]);
    EXPECT_EQ(ended.fault, Blame::kContributor);
    EXPECT_EQ(ended.num_attempts, 1) << "it ended its runner";
    EXPECT_THAT(ended.reason, HasSubstr(all[i].reason));
    EXPECT_LE(ended.reason.size(), kMaxReasonBytes);
    std::string everything = told(ids[i]) + ended.reason + ended.summary;
    const auto findings = read_findings(records_, ids[i]);
    for (const SourceFinding& finding : *findings) everything += finding.text;
    EXPECT_THAT(everything, Not(HasSubstr("SECRET")));
  }
  EXPECT_EQ(state_of(good), "published") << told(good);
  EXPECT_GT(*seconds_used(records_, ada_, 1), 0);
}

}  // namespace
}  // namespace mash
