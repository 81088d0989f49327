// SPDX-License-Identifier: Apache-2.0
// A year of a small course in one go: ten contributors hand in fifty heuristics through the API, and the
// board at the end is what the program `mash` alone finds of the same sources.
#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "server/http/site.hpp"
#include "tests/server/runner/runner_site.hpp"
#include "tests/support/places.hpp"

namespace mash {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

// A template of the SDK, and variants of it: what they replace in its text.
struct Template {
  const char *kind, *file;
  std::array<std::pair<const char*, const char*>, 2> variants;
};
constexpr Template kTemplates[] = {
    {"blank",
     "row_means.cpp",
     {{{"float(view.width());", "float(2 * view.width());"}, {"sum += view", "sum += 255u - view"}}}},
    {"colour",
     "colour_histograms.cpp",
     {{{"across and down\", 3,", "across and down\", 2,"},
       {"across and down\", 3,", "across and down\", 4,"}}}},
    {"fourier",
     "low_frequencies.cpp",
     {{{"height\", 6,", "height\", 4,"}, {"height\", 6,", "height\", 5,"}}}},
    {"haar", "box_pairs.cpp", {{{"pixels\", 4,", "pixels\", 5,"}, {"pixels\", 4,", "pixels\", 7,"}}}},
    {"hog",
     "oriented_gradients.cpp",
     {{{"degrees\", 8,", "degrees\", 6,"}, {"pixels\", 7,", "pixels\", 9,"}}}},
    {"lbp", "binary_patterns.cpp", {{{"pixels\", 7,", "pixels\", 9,"}, {"pixels\", 1,", "pixels\", 2,"}}}},
    {"classic",
     "random_boxes.cpp",
     {{{"kNumPairs = 100", "kNumPairs = 60"}, {"kNumPairs = 100", "kNumPairs = 80"}}}}};

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

struct Source {
  std::string contributor, file, text;
};

// variant: 0: the template itself.
Source source_of(const std::string& contributor, const Template& from, std::size_t variant,
                 const std::string& version) {
  const std::string place =
      fmt::format("{}/sdk/template/{}/{}", mash::testing::source_folder(), from.kind, from.file);
  Source source{contributor, from.file, *read_file(place)};
  replace_all(source.text, "@ID@", fmt::format("{}-{}", from.kind, contributor));
  replace_all(source.text, "@AUTHOR@", contributor);
  replace_all(source.text, "\"1.0.0\"", fmt::format("\"{}\"", version));
  if (variant > 0) {
    const auto& [what, with] = from.variants[variant - 1];
    EXPECT_NE(source.text.find(what), std::string::npos) << place << " lacks " << what;
    replace_all(source.text, what, with);
  }
  return source;
}

class Fifty : public testing::RunnerSite {
 protected:
  // Everybody: a template (not the classic one, which has no versions), another one, a better version of the
  // first, one that does not compile, and the same version of the second again.
  static std::vector<Source> fifty() {
    std::vector<Source> sources;
    for (std::size_t round = 0; round < 5; ++round)
      for (std::size_t who = 0; who < 10; ++who) {
        const std::string name = fmt::format("student-{}", who);
        const Template &first = kTemplates[who % 6], &second = kTemplates[(who + 3) % std::size(kTemplates)];
        if (round == 0) sources.push_back(source_of(name, first, 0, "1.0.0"));
        if (round == 1) sources.push_back(source_of(name, second, who % 3, "1.0.0"));
        if (round == 2) sources.push_back(source_of(name, first, 1 + who % 2, "1.1.0"));
        if (round == 3) {
          Source broken = source_of(name, first, 0, "1.2.0");
          broken.text.replace(broken.text.rfind(';'), 1, ")");
          sources.push_back(broken);
        }
        if (round == 4) sources.push_back(source_of(name, second, (who + 1) % 3, "1.0.0"));
      }
    return sources;
  }

  std::int64_t submit(server::Site& site, const Source& source) {
    server::Request request;
    EXPECT_TRUE(server::read_target("/api/v1/submissions", request));
    request.method = "POST";
    request.bearer = source.contributor + "-token";
    request.content_type = "application/json";
    request.body =
        Json{{"file_name", source.file}, {"source", source.text}, {"licence", "Apache-2.0"}}.dump();
    const server::Response response = site.answer(request);
    EXPECT_EQ(response.status, 201) << response.text();
    return Json::parse(response.text())["id"];
  }

  // The program's findings on a source, with a store and records of its own. Compiled apart, it is not
  // checked with sanitizers once more.
  Json tried_by_mash(const Source& source) {
    const fs::path alone = folder_ / "alone", file = alone / source.contributor / source.file;
    const fs::path plugin = fs::path(file).replace_extension(".so");
    fs::create_directories(file.parent_path());
    EXPECT_TRUE(write_file_atomically(file, source.text).ok());
    EXPECT_TRUE(write_file_atomically(alone / "board.yaml", testing::kSmallBoard).ok());
    const ChildResult built = start({{MASH_PROGRAM, "heuristic", "build", file, "--out", plugin}}).wait();
    EXPECT_TRUE(built.succeeded()) << built.err;
    const ChildResult result = start({{MASH_PROGRAM, "heuristic",
                                       "try",        plugin,
                                       "--against",  alone / "board.yaml",
                                       "--judge",    "test",
                                       "--set",      "dataset.test_part=private",
                                       "--seeds",    "4",
                                       "--seconds",  "1000000",
                                       "--db",       alone / "mash.db",
                                       "--store",    alone / "store",
                                       "--anyway",   "--json",
                                       "--quiet"}})
                                   .wait();
    EXPECT_TRUE(result.succeeded()) << result.err;
    return Json::parse(result.out, nullptr, false);
  }

  Json leaderboard(server::Site& site) {
    server::Request request;
    EXPECT_TRUE(server::read_target("/api/v1/leaderboard", request));
    request.method = "GET";
    const server::Response response = site.answer(request);
    EXPECT_EQ(response.status, 200) << response.text();
    return Json::parse(response.text());
  }
};

TEST_F(Fifty, TheBoardIsWhatMashAloneFindsToTheDigit) {
  for (int i = 0; i < 10; ++i) {
    const std::string name = fmt::format("student-{}", i);
    const std::int64_t id = *add_user(records_, {0, name, "contributor", ""});
    ASSERT_TRUE(add_token(records_, id, {.scope = Scope::kSubmit}, name + "-token", 1).ok());
  }
  server::Site site = *server::Site::open(folder_ / "mash.db", {});
  const Stopwatch watch;
  std::map<std::int64_t, Source> by_submission;
  for (const Source& source : fifty()) by_submission.emplace(submit(site, source), source);
  ASSERT_EQ(by_submission.size(), 50u);
  {
    ChildProcess one = start(command({"--until-empty", "--threads", "1"})),
                 other = start(command({"--until-empty", "--threads", "1"}));
    const ChildResult of_one = one.wait(), of_other = other.wait();
    ASSERT_TRUE(of_one.succeeded()) << of_one.err;
    ASSERT_TRUE(of_other.succeeded()) << of_other.err;
  }
  const double seconds = watch.seconds();
  fmt::print("50 submissions in {:.1f} s\n", seconds);
  EXPECT_LE(seconds, 180);

  std::map<std::string, int> counts;
  std::string reasons;
  for (const auto& [id, source] : by_submission) {
    ++counts[state_of(id)];
    if (!submission(id).reason.empty())
      reasons += fmt::format("{} {}: {}\n", id, source.file, submission(id).reason);
  }
  EXPECT_EQ(counts["published"], 20) << reasons;
  EXPECT_EQ(counts["superseded"], 10) << reasons;
  EXPECT_EQ(counts["rejected"], 20) << reasons;  // ten do not compile, ten are versions that there are
  const Json board = leaderboard(site);
  ASSERT_EQ(board["rows"].size(), 20u);
  for (const Json& row : board["rows"]) {
    const std::int64_t id = row["submission"];
    const Json alone = tried_by_mash(by_submission.at(id));
    const Judgement judged = find_judgement(records_, id)->value();
    EXPECT_EQ(double(row["gain"]), release_figures(judged, std::nullopt, 0).gain) << row;
    EXPECT_EQ(judged.gain, double(alone["gain"]["mean"])) << row;
    EXPECT_EQ(judged.standard_error, double(alone["gain"]["standard_error"])) << row;
    // A board's only look may miss more often than the first of six.
    EXPECT_GT(judged.low, double(alone["gain"]["low"])) << row;
    EXPECT_LT(judged.high, double(alone["gain"]["high"])) << row;
    EXPECT_EQ(judged.num_seeds, std::size_t(alone["gain"]["seeds"])) << row;
    // Students of this class hand in the same features; the first of them stands for all, with a version
    // that may be a former one.
    const auto has_the_gain = [&](const auto& other) {
      const auto found = find_judgement(records_, other.first);
      return found.ok() && *found && (*found)->gain == judged.gain;
    };
    if (row["rank"] == "copy") {
      EXPECT_GT(std::ranges::count_if(by_submission, has_the_gain), 1) << row;
      EXPECT_THAT(row["finding"].get<std::string>(), ::testing::StartsWith("has the features of ")) << row;
    }
    EXPECT_EQ(row["heuristic"], alone["heuristic"]) << row;
  }
  fmt::print("with mash alone in {:.1f} s\n", watch.seconds());
}

}  // namespace
}  // namespace mash
