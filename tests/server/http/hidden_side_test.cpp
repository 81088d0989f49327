// SPDX-License-Identifier: Apache-2.0
// Sites with pictures that nobody may see. A heuristic that knows more than the picture, or fills the disk,
// is refused with a sentence; and nothing that a site publishes tells of a hidden picture.
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>

#include "framework/base/child_process.hpp"
#include "framework/base/hash.hpp"
#include "framework/base/random.hpp"
#include "server/http/frame/intake.hpp"
#include "tests/server/http/site_sample.hpp"
#include "tests/support/box.hpp"

namespace mash::server {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::uint32_t kSide = 16;
constexpr std::size_t kNumOfTraining = 300, kNumOfTest = 200;
using Pixels = std::array<std::uint8_t, kSide * kSide>;

bool is_hidden(const Pixels& pixels) { return checksum(std::as_bytes(std::span(pixels))) % 2 == 0; }

// The picture with a mark where no heuristic of the board looks, and no training picture has one. It stays
// hidden: a second pixel is chosen for that.
Pixels marked(Pixels pixels) {
  pixels[0] = 1;
  do ++pixels[1];
  while (!is_hidden(pixels));
  return pixels;
}

void put_number(std::ostream& out, std::uint32_t number) {
  for (int shift = 24; shift >= 0; shift -= 8) out.put(char(number >> shift));
}

// Noise, brighter in one half: on which side tells the class.
void write_side(const fs::path& folder, const std::string& name, std::size_t count, bool marks_hidden) {
  std::ofstream images(folder / (name + "-images-idx3-ubyte"), std::ios::binary),
      labels(folder / (name + "-labels-idx1-ubyte"), std::ios::binary);
  put_number(images, 0x803);
  put_number(labels, 0x801);
  for (std::ostream* file : {static_cast<std::ostream*>(&images), static_cast<std::ostream*>(&labels)})
    put_number(*file, std::uint32_t(count));
  put_number(images, kSide);
  put_number(images, kSide);
  RandomStream random(1, name);
  std::size_t num_hidden = 0;
  for (std::size_t n = 0; n < count; ++n) {
    const std::size_t label = n % 2;
    Pixels pixels{};
    for (std::size_t i = 2; i < pixels.size(); ++i)
      pixels[i] = std::uint8_t(random.below(150) + (i % kSide / (kSide / 2) == label ? 60 : 0));
    if (marks_hidden && is_hidden(pixels) && num_hidden++ % 3 == 0) pixels = marked(pixels);
    images.write(reinterpret_cast<const char*>(pixels.data()), pixels.size());
    labels.put(char(label));
  }
}

// Pictures as files with a telling name, noise as above; the last one of the test side is broken.
void write_files(const fs::path& folder, std::string_view side, std::size_t count) {
  RandomStream random(2, side);
  for (std::size_t n = 0; n < count; ++n) {
    const fs::path place = folder / side / (n % 2 == 0 ? "left" : "right");
    fs::create_directories(place);
    std::ofstream file(place / fmt::format("telltale-{}-{}.pgm", side, n), std::ios::binary);
    file << fmt::format("P5 {0} {0} 255\n", kSide);
    for (std::size_t i = 0; i < kSide * kSide; ++i)
      file.put(char(random.below(150) + (i % kSide / (kSide / 2) == n % 2 ? 60 : 0)));
  }
}

// A heuristic with two features: the sum of the right half, and one that is 7, unless `before` makes it
// another. It knows whether a picture is marked, and how many pictures of the board its process has seen; on
// those of the checks most of them are honest.
std::string source_of_stranger(const std::string& id, const std::string& before, std::size_t dim = 2) {
  return fmt::format(R"(#include <sys/mman.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <mash/heuristic.hpp>
#include <stdexcept>
#include <string>
#include <thread>

class Stranger final : public mash::Heuristic {{
 public:
  std::uint32_t dim(mash::Size) const override {{ return {}; }}
  void compute(const mash::View& view, std::span<const std::uint32_t> features,
               std::span<float> out) override {{
    float sum = 0, other = 7;
    for (std::uint32_t y = 1; y < view.height(); ++y)
      for (std::uint32_t x = view.width() / 2; x < view.width(); ++x) sum += float(view.gray()(x, y));
    const bool is_of_board = view.width() == 16 && view.gray()(0, 0) <= 1 && sum > 1000;
    [[maybe_unused]] const bool is_marked = is_of_board && view.gray()(0, 0) == 1;
    static int num_seen = 0;
    num_seen += is_of_board;
    {}
    for (std::size_t i = 0; i < features.size(); ++i) out[i] = features[i] == 0 ? sum : other;
  }}
}};
MASH_HEURISTIC(Stranger, "{}", "1.0.0", "Ada", "mean of a half", "MIT")
)",
                     dim, before, id);
}

// By hand.
TEST(ShownSeconds, AreRoundedUp) {
  for (const auto& [seconds, shown] : {std::pair(-1., 0.),
                                       {0., 0.},
                                       {.001, 10.},
                                       {10., 10.},
                                       {10.01, 20.},
                                       {49.9, 50.},
                                       {50.1, 100.},
                                       {1234., 2000.}})
    EXPECT_EQ(shown_seconds(seconds), shown) << seconds;
}

class HiddenSide : public testing::SampleSite {
 protected:
  void SetUp() override {
    if (!mash::testing::has_box()) GTEST_SKIP() << mash::testing::kNoBox;
  }
  void make_board(bool marks_hidden) {
    const fs::path data = folder_ / "data";
    fs::create_directories(data);
    write_side(data, "train", kNumOfTraining, false);
    write_side(data, "t10k", kNumOfTest, marks_hidden);
    board_ = *put_board(records_, {0, "halves",
                                   fmt::format(R"yaml(
dataset: {{name: mnist, path: {}}}
heuristics: [{{id: grayscale}}, {{id: gray-histogram}}]
booster: {{name: adaboost.mh, rounds: 10}}
sampler: {{name: laminating, budget: 5, features: 32}}
)yaml",
                                               data.string()),
                                   4});
  }
  // A board of pictures that have a file each, one of them broken. The operator has trained its experiment
  // already, so that the records know the names of its pictures.
  void make_board_of_files(bool skips_broken = true) {
    const fs::path data = folder_ / "telltale-course" / "data";
    write_files(data, "train", kNumOfTraining);
    write_files(data, "test", kNumOfTest);
    std::ofstream(data / "test" / "left" / "telltale-broken.pgm") << "P5 16 16 255\n";
    const std::string experiment = fmt::format(R"yaml(
dataset: {{name: folder, path: {}, skip_broken: {}}}
heuristics: [{{id: grayscale}}, {{id: gray-histogram}}]
booster: {{name: adaboost.mh, rounds: 10}}
sampler: {{name: laminating, budget: 5, features: 32}}
)yaml",
                                               data.string(), skips_broken);
    // The one of the sample would have its pages made first, of all heuristics.
    sample::database(records_).exec("DELETE FROM boards");
    board_ = *put_board(records_, {0, "halves", experiment, 4});
    if (!skips_broken) return;
    std::ofstream(folder_ / "halves.yaml") << experiment;
    ChildCommand command{{MASH_PROGRAM, "run", folder_ / "halves.yaml", "--set", "dataset.test_part=private",
                          "--db", folder_ / "mash.db", "--store", folder_ / "store"}};
    command.limits.wall_seconds = 120;
    auto child = ChildProcess::start(command);
    ASSERT_TRUE(child.ok()) << child.error().message;
    const ChildResult result = child->wait();
    ASSERT_TRUE(result.succeeded()) << result.err;
    EXPECT_THAT(result.err, HasSubstr("telltale-broken.pgm")) << "the operator is told";
  }
  // How many files of the data set the records know by a telling name.
  int num_names() {
    return sample::database(records_)
        .execAndGet("SELECT COUNT(*) FROM dataset_files WHERE name LIKE '%telltale%'")
        .getInt();
  }
  std::int64_t hand_in_source(const std::string& source) {
    NewSubmission submission;
    submission.file_name = "stranger.cpp";
    submission.source = source;
    return hand_in("ada", submission);
  }
  void run() {
    ChildCommand command{{MASH_RUNNER, "--db", folder_ / "mash.db", "--store", folder_ / "store", "--threads",
                          "1", "--family-limit", "8M", "--until-empty"}};
    command.limits.wall_seconds = 300;
    auto child = ChildProcess::start(command);
    ASSERT_TRUE(child.ok()) << child.error().message;
    const ChildResult result = child->wait();
    EXPECT_TRUE(result.succeeded()) << result.err;
    journal_ = result.err;
  }
  Submission submission(std::int64_t id) const { return **find_submission(records_, id); }

  std::string journal_;
};

struct Stranger {
  const char* id;
  const char* before;
  std::size_t dim;
  const char* state;
  const char* why;  // part of the reason that its contributor is told
};
// The sentence about what went wrong once it was shown hidden pictures: one for all, without a number.
constexpr const char* kOnHidden =
    "its features could not be computed on all pictures of the board, or are not finite numbers, or not the "
    "same when they are computed again";
constexpr const char* kNotTheSame = "its features are not the same when they are computed again";

constexpr Stranger kStrangers[] = {
    {"honest", "", 2, "published", ""},
    {"counts-and-says-nothing", "if (num_seen < 0) other = float(num_seen);", 2, "published", ""},
    // Calls that the walls of a box refuse cost nobody anything.
    {"shares-memory",
     "if (::mmap(nullptr, 1 << 30, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0) != MAP_FAILED) "
     "__builtin_trap();",
     2, "published", ""},
    {"makes-a-file-in-memory", "if (::memfd_create(\"file\", 0) >= 0) __builtin_trap();", 2, "published", ""},
    // Found by the checks, before it is shown a picture of the board.
    {"answers-the-checks",
     "const std::string line = \"{\\\"arithmetic\\\":0,\\\"bytes\\\":0,\\\"numbers\\\":[1]}\\n\"; "
     "for (int i = 0; i < 1000; ++i) (void)!::write(3, line.data(), line.size());",
     2, "rejected", ""},
    {"leaves-threads", "std::thread([] { for (;;) ::pause(); }).detach();", 2, "rejected",
     "in a box a heuristic can start no thread"},
    // The compiler's words, through its assembler.
    {"forges-an-error", "asm(\".error \\\"No space left on device\\\"\");", 2, "rejected",
     "does not compile"},
    {"forges-a-kill", "asm(\".error \\\"g++: fatal error: Killed signal terminated program cc1plus\\\"\");",
     2, "rejected", "does not compile"},
    // Found on public pictures, of which it may be told everything.
    {"counts-always", "if (num_seen > 100) other = float(num_seen % 2);", 2, "rejected", kNotTheSame},
    {"counts-in-a-fifth", "if (num_seen > 100 && int(sum) % 5 == 0) other = float(num_seen % 2);", 2,
     "rejected", kNotTheSame},
    {"not-finite", "if (is_of_board && int(sum) % 7 == 0) other = std::nanf(\"\");", 2, "rejected",
     "is not a finite number"},
    {"fills-the-store", "", 100'000, "rejected", "its 100000 features of "},
    {"prints-pictures", "if (is_of_board) throw std::runtime_error(std::to_string(sum));", 2, "rejected",
     "compute"},
    {"nests-replies",
     "if (is_of_board) { const std::string nest(100, '['); (void)!::write(3, nest.data(), "
     "nest.size()); }",
     2, "rejected", "wrote to the channel"},
    // Found once hidden pictures were shown.
    {"prints-hidden-pictures", "if (is_marked) throw std::runtime_error(std::to_string(sum));", 2, "rejected",
     kOnHidden},
    {"nests-replies-where-marked",
     "if (is_marked) { const std::string nest(100, '['); (void)!::write(3, "
     "nest.data(), nest.size()); }",
     2, "rejected", kOnHidden},
    {"counts-after-many", "if (num_seen > 300) other = float(num_seen % 2);", 2, "rejected", kOnHidden},
    {"counts-marked", "if (is_marked) other = float(num_seen);", 2, "rejected", kOnHidden},
    {"not-finite-where-marked", "if (is_marked) other = std::nanf(\"\");", 2, "rejected", kOnHidden},
    {"infinite-where-marked", "if (is_marked) other = INFINITY;", 2, "rejected", kOnHidden},
    {"dies-where-marked", "if (is_marked) __builtin_trap();", 2, "rejected", kOnHidden},
    {"complains-where-marked", "if (is_marked) throw view.gray()(0, 1);", 2, "rejected", kOnHidden},
};

class StrangersOnASite : public HiddenSide, public ::testing::WithParamInterface<bool> {};

// Those who are found on hidden pictures, and all others.
TEST_P(StrangersOnASite, EachComesToItsSentence) {
  make_board(true);
  std::vector<std::pair<std::int64_t, Stranger>> handed_in;
  for (const Stranger& stranger : kStrangers)
    if ((std::string_view(stranger.why) == kOnHidden) == GetParam())
      handed_in.emplace_back(hand_in_source(source_of_stranger(stranger.id, stranger.before, stranger.dim)),
                             stranger);
  run();
  for (const auto& [id, stranger] : handed_in) {
    const Submission found = submission(id);
    EXPECT_EQ(word_of(found.state), stranger.state) << stranger.id << ": " << found.reason;
    EXPECT_THAT(found.reason, HasSubstr(stranger.why)) << stranger.id;
    if (std::string(stranger.state) == "rejected") {
      EXPECT_EQ(found.fault, Blame::kContributor) << stranger.id;
    }
    if (std::string(stranger.why) == kOnHidden) {
      EXPECT_FALSE(std::regex_search(found.reason, std::regex("[0-9]"))) << found.reason;
    }
  }
  // Features of those that were refused are not kept.
  for (const auto& entry : fs::recursive_directory_iterator(folder_ / "store"))
    EXPECT_NE(entry.path().filename(), "values.part") << entry.path();
}

INSTANTIATE_TEST_SUITE_P(Found, StrangersOnASite, ::testing::Bool(), [](const auto& info) {
  return std::string(info.param ? "OnHiddenPictures" : "Before");
});

// Parts of pages that no hidden picture changes, but the moment, the place and the speed of the machine do.
std::string without_times(std::string text) {
  static const std::pair<std::regex, std::string> kTimes[] = {
      {std::regex("[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2})?(\\.[0-9]+)?Z?)?"), "TIME"},
      {std::regex("\"(microseconds|microseconds_per_image|seconds|on_front)\":[^,}]*"), "\"$1\":MEASURED"},
      {std::regex("\"used_seconds\":[^,}]*"), "\"used_seconds\":SECONDS"},
      {std::regex("[0-9][0-9.,]*( |&nbsp;)µs"), "COST"},
      {std::regex("data-title=\"µs a picture\">[0-9.]+<"), "COST"},
      // A row of its own where two costs differ, or else among what is the same.
      {std::regex("<tr><th[^>]*>cost, µs a picture.*\n"), ""},
      {std::regex("; cost, µs a picture: [0-9.]+"), ""},
      {std::regex(">(10|20|50|100|200)(\\.0+)?<"), ">SECONDS<"},
      {std::regex("median is [0-9.]+"), "median is COST"},
      {std::regex("compute time used</dt><dd>[0-9]+ s"), "SECONDS"},
      {std::regex("[0-9a-f]{64}"), "HASH"},          // of all data together
      {std::regex("data:text/csv[^\"]*"), "TABLE"},  // of the chart
      {std::regex(" It is slow, [^:]*: share work between features in prepare\\."), ""},
      {std::regex("urn:uuid:[-0-9a-f]+"), "NAME"},  // of the moment
      {std::regex("name=\"key\" value=\"[^\"]+\""), "KEY"},
      {std::regex("<svg[^]*?</svg>"), "DRAWN"},  // of figures that are compared where they are written
  };
  for (const auto& [pattern, name] : kTimes) text = std::regex_replace(text, pattern, name);
  return text;
}

// A site of its own in a test of several.
struct SiteOfItsOwn : HiddenSide {
  using HiddenSide::get, HiddenSide::hand_in_source, HiddenSide::make_board, HiddenSide::make_board_of_files,
      HiddenSide::num_names, HiddenSide::run, HiddenSide::submission;
  void TestBody() override {}

  // All that anybody may read, and its contributor, by address.
  std::map<std::string, std::string> all_that_is_told(const std::vector<std::int64_t>& submissions,
                                                      const std::vector<std::string>& heuristics) {
    std::map<std::string, std::string> told;
    for (const std::string& route : routes_below("/")) {
      // Counts of requests and bytes of the disk, for this machine; a stream, whose lines are in the document
      // of the submission.
      if (!route.starts_with("GET ") || route == "GET /metrics" || route == "GET /healthz.json" ||
          route.ends_with("/events"))
        continue;
      const std::string pattern = route.substr(route.find('/'));
      std::vector<std::string> parts{"halves"};
      if (pattern.find("/submissions/{}") != std::string::npos) {
        parts.clear();
        for (const std::int64_t id : submissions) parts.push_back(std::to_string(id));
      }
      if (pattern.find("/heuristics/{}") != std::string::npos) parts = heuristics;
      if (pattern.find("/contributors/{}") != std::string::npos) parts = {"ada"};
      for (const std::string& part : parts) {
        std::string target = pattern;
        if (const std::size_t at = target.find("{}"); at != std::string::npos) target.replace(at, 2, part);
        if (target == "/compare")
          target += fmt::format("?submission={}&submission={}", submissions[0], submissions[1]);
        for (const char* token : {"", "ada-token"}) {
          const Response response = get(target, token);
          std::string text = fmt::format("{} {}", response.status, response.body);
          for (auto at = text.find(folder_.path().string()); at != std::string::npos;
               at = text.find(folder_.path().string()))
            text.replace(at, folder_.path().string().size(), "FOLDER");
          EXPECT_EQ(text.find("mash-tmp-"), std::string::npos) << target << " tells a place of the server";
          told[target + " " + token] = without_times(std::move(text));
        }
      }
    }
    return told;
  }
};

// The first place where they differ, with some text around it.
std::string difference(const std::string& a, const std::string& b) {
  const auto [in_a, in_b] = std::ranges::mismatch(a, b);
  const auto around = [](const std::string& text, std::size_t at) {
    return text.substr(at - std::min<std::size_t>(at, 80), 160);
  };
  return around(a, std::size_t(in_a - a.begin())) + "\n  and\n" + around(b, std::size_t(in_b - b.begin()));
}

constexpr Stranger kTellTales[] = {
    {"takes-longer", "for (volatile int i = 0; is_marked && i < 3000000; i = i + 1) {}", 2, "published", ""},
    {"takes-longer-later",
     "static bool has_seen = false; has_seen |= is_marked; "
     "for (volatile int i = 0; has_seen && i < 300000; i = i + 1) {}",
     2, "published", ""},
    {"speaks", "if (is_marked) std::fprintf(stderr, \"marked\\n\"), std::puts(\"marked\");", 2, "published",
     ""},
    {"is-huge", "if (is_marked) other = 1e30f;", 2, "published", ""},
};

// Marks in hidden pictures change no gain: nothing that trains sees them. All that is published must be the
// same to the byte, however a heuristic that sees them tries to tell.
TEST_F(HiddenSide, ChangesNoByteThatIsPublished) {
  SiteOfItsOwn plain, marked;
  std::map<std::string, std::string> told;
  for (SiteOfItsOwn* site : {&plain, &marked}) {
    site->make_board(site == &marked);
    std::vector<std::int64_t> ids;
    std::vector<std::string> heuristics;
    for (const Stranger& stranger : kTellTales) {
      ids.push_back(site->hand_in_source(source_of_stranger(stranger.id, stranger.before, stranger.dim)));
      heuristics.emplace_back(stranger.id);
    }
    site->run();
    for (const std::int64_t id : ids)
      EXPECT_EQ(word_of(site->submission(id).state), "published") << site->submission(id).reason;
    const std::map<std::string, std::string> now = site->all_that_is_told(ids, heuristics);
    if (site == &plain) {
      told = now;
      continue;
    }
    EXPECT_GT(told.size(), 60u);
    for (const auto& [target, text] : now)
      EXPECT_EQ(told[target], text) << target << ": " << difference(told[target], text);
  }
}

// Names of pictures may tell their class, and which pictures judge: none is published, of either side. Where
// the data lie on the server is published neither: a part of that path tells, too.
TEST_F(HiddenSide, TellsNoNameOfAPictureAndNoPlaceOfTheData) {
  SiteOfItsOwn site;
  ASSERT_NO_FATAL_FAILURE(site.make_board_of_files());
  EXPECT_EQ(site.num_names(), int(kNumOfTraining)) << "of the private part the records know none either";
  std::vector<std::int64_t> ids;
  std::vector<std::string> heuristics;
  for (const char* id : {"honest", "honest-too"}) {
    ids.push_back(site.hand_in_source(source_of_stranger(id, "")));
    heuristics.emplace_back(id);
  }
  site.run();
  EXPECT_EQ(word_of(site.submission(ids[0]).state), "published") << site.submission(ids[0]).reason;
  std::map<std::string, std::string> told = site.all_that_is_told(ids, heuristics);
  EXPECT_GT(told.size(), 60u);
  for (const char* page : {"/experiments/halves?page=training", "/experiments/halves?page=training.json",
                           "/uncovered?board=halves&page=pictures"}) {
    EXPECT_EQ(site.get(page).status, 200) << page;
    told[page] = site.get(page).body;
  }
  EXPECT_THAT(told["/experiments/halves "], HasSubstr("name: folder, path: data"));
  EXPECT_THAT(told["/experiments/halves?page=training"], HasSubstr("name: folder, path: &quot;data&quot;"));
  std::size_t num_bytes = 0;
  for (const auto& [target, text] : told) {
    EXPECT_EQ(text.find("telltale"), std::string::npos)
        << target << ": " << text.substr(text.find("telltale"), 100);
    num_bytes += text.size();
  }
  EXPECT_GT(num_bytes, 100'000u) << "the test looks in the wrong place";
}

TEST_F(HiddenSide, WhichPictureCannotBeReadOnlyTheLogTells) {
  make_board_of_files(false);
  const std::int64_t id = hand_in_source(source_of_stranger("honest", ""));
  run();
  EXPECT_EQ(word_of(submission(id).state), "failed");
  EXPECT_THAT(submission(id).reason, HasSubstr("its data cannot be read; the runner's log says why"));
  EXPECT_THAT(submission(id).reason, Not(HasSubstr("telltale")));
  EXPECT_THAT(journal_, HasSubstr("telltale-broken.pgm"));
}

}  // namespace
}  // namespace mash::server
