// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>

#include "framework/base/file.hpp"
#include "server/http/accounts/health.hpp"
#include "server/http/boards/example_heuristic.hpp"
#include "server/http/boards/facts.hpp"
#include "tests/server/http/site_sample.hpp"
#include "tests/support/places.hpp"

namespace mash::server {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

using AboutSite = testing::SampleSite;

TEST_F(AboutSite, ExperimentsAreShownWithAllTheirVersions) {
  ASSERT_TRUE(put_board(records_, {0, "digits", "dataset: {name: <digits>}", 16, .5}).ok());
  EXPECT_THAT(get("/experiments").body, HasSubstr("href=\"/experiments/digits?version=1\""));
  const std::string now = get("/experiments/digits").body, before = get("/experiments/digits?version=1").body;
  EXPECT_THAT(now, HasSubstr("dataset: {name: &lt;digits&gt;}"));
  for (const std::string& page : {now, get("/boards/digits").body})
    EXPECT_THAT(page, HasSubstr("in steps of 0.5 % of the log-loss"));
  EXPECT_THAT(get("/boards/digits").body, Not(HasSubstr("more where ranks are uncertain")))
      << "a Ladder board is measured with no more seeds";
  EXPECT_THAT(get("/boards/digits?version=1").body, HasSubstr("more where ranks are uncertain"));
  EXPECT_THAT(now, HasSubstr("with 16 seeds"));
  EXPECT_THAT(before, HasSubstr("dataset: {name: digits}"));
  EXPECT_THAT(before, HasSubstr("with 8 seeds"));
  for (const char* target :
       {"/experiments/letters", "/experiments/digits?version=3", "/experiments/digits?version=x",
        "/experiments/digits?page=training", "/experiments/digits?page=secret"})
    EXPECT_EQ(get(target).status, 404) << target;
}

TEST_F(AboutSite, ThePagesOfARunnerAreServedAsTheyAre) {
  EXPECT_THAT(get("/experiments/digits").body, HasSubstr("a runner makes it when it is idle"));
  ASSERT_TRUE(put_board_page(records_, board_, "experiment.html", "<!DOCTYPE html><style>p{}</style>").ok());
  ASSERT_TRUE(put_board_page(records_, board_, "experiment.json", "{\"runs\": 1}").ok());
  EXPECT_THAT(get("/experiments/digits").body,
              HasSubstr("href=\"/experiments/digits?version=1&amp;page=training\""));
  const Response training = get("/experiments/digits?page=training");
  EXPECT_EQ(training.body, "<!DOCTYPE html><style>p{}</style>");
  EXPECT_THAT(header(training, "Content-Security-Policy"),
              HasSubstr("default-src 'none'; style-src 'unsafe-inline'"));
  const Response document = get("/experiments/digits?page=training.json");
  EXPECT_EQ(document.content_type, "application/json");
  EXPECT_EQ(document.body, "{\"runs\": 1}");
}

TEST_F(AboutSite, WhatNobodyCoversIsLinkedWhenItIsThere) {
  EXPECT_THAT(get("/uncovered").body, HasSubstr("when it is idle"));
  EXPECT_EQ(get("/uncovered?board=digits&page=pictures").status, 404);
  ASSERT_TRUE(put_board_page(records_, board_, "uncovered.html", "<p>pictures").ok());
  EXPECT_THAT(get("/uncovered").body, HasSubstr("href=\"/uncovered?board=digits&amp;page=pictures\""));
  EXPECT_EQ(get("/uncovered?board=digits&page=pictures").body, "<p>pictures");
  ASSERT_TRUE(put_board_page(records_, board_, "uncovered.json", "{}").ok());
  EXPECT_EQ(get("/uncovered?board=digits&page=pictures.json").content_type, "application/json");
  for (const char* target :
       {"/uncovered?page=pictures", "/uncovered?board=letters&page=pictures", "/uncovered?page=x"})
    EXPECT_EQ(get(target).status, 404) << target;
}

TEST_F(AboutSite, DataSetsAreToldByTheRunnerOrTheExperiment) {
  EXPECT_THAT(get("/datasets").body, HasSubstr("dataset: {name: digits}"));
  ASSERT_TRUE(
      put_board_page(records_, board_, "dataset.json",
                     R"({"title": "Digits <1>", "train": {"num_examples": 600}, "classes": ["0", "1"]})")
          .ok());
  const std::string body = get("/datasets").body;
  for (const char* text :
       {"Digits &lt;1&gt;", "train: examples", "600", "0, 1",
        "to nobody, neither on its pages nor by the API",
        "The pictures of its private part can be made by anybody, as its data are generated."})
    EXPECT_THAT(body, HasSubstr(text));
  ASSERT_TRUE(
      put_board_page(records_, board_, "resolution.json", R"({"words": "Half the interval <1>."})").ok());
  EXPECT_THAT(get("/datasets").body, HasSubstr("<p>Half the interval &lt;1&gt;.</p>"));
  ASSERT_TRUE(put_board_page(records_, board_, "resolution.json", R"({"error": "too few"})").ok());
  EXPECT_THAT(get("/datasets").body, Not(HasSubstr("too few")));
  ASSERT_TRUE(put_board(records_, {0, "digits", "dataset: {name: folder, path: \"/srv/own\"}", 8}).ok());
  EXPECT_THAT(get("/datasets").body, Not(HasSubstr("by anybody")));
}

TEST(BoardFacts, OfWhatIsNoObjectThereAreNone) {
  for (const char* document : {"", "{", "[]", "1", "{}"})
    EXPECT_EQ(facts_piece(document, "x").html.markup, "");
}

TEST(BoardFacts, TheLinesOfTheDataSetEndWithTheNextKey) {
  EXPECT_EQ(dataset_lines("seed: 1\ndataset:\n  name: a\n\n  path: b\nheuristics: all\n"),
            "dataset:\n  name: a\n\n  path: b\n");
  EXPECT_EQ(dataset_lines("{dataset: {name: a}}"), "{dataset: {name: a}}");
}

TEST_F(AboutSite, APageWithoutBoardsSaysSo) {
  Site empty = *Site::open(folder_ / "empty.db", {});
  for (const char* target : {"/experiments", "/datasets", "/uncovered"})
    EXPECT_THAT(empty.answer(request("GET", target)).body, HasSubstr("There is no board yet.")) << target;
  EXPECT_EQ(empty.answer(request("GET", "/feed.atom")).status, 200);
}

TEST_F(AboutSite, TheRulesNameTheLimitsOfThisSite) {
  const std::string body = get("/rules").body;
  EXPECT_THAT(body, HasSubstr("3600 s of compute time in 1 day"));
  EXPECT_THAT(body, HasSubstr("At most 10 submissions"));
  EXPECT_THAT(body, HasSubstr("is listed below it as its copy, without a rank of its own"));
  for (const char* word :
       {"log-loss</b>", "<b>Pool</b>", "<b>Expected rank</b>", "<b>Placebo</b>", "<b>Ladder</b>"})
    EXPECT_THAT(body.substr(body.find("id=\"words\"")), HasSubstr(word));
  EXPECT_THAT(body, HasSubstr("mash submit row_means.cpp --server http://mash.test --licence Apache-2.0"));
  EXPECT_THAT(body, HasSubstr("#include &lt;mash/heuristic.hpp&gt;"));
}

TEST_F(AboutSite, MetricsTellHowMuchRoomTheDiskHas) {
  const std::string metrics = get("/metrics").body;
  EXPECT_THAT(metrics, ::testing::ContainsRegex("mash_disk_free_bytes [1-9]"));
  EXPECT_THAT(metrics, HasSubstr("mash_disk_wanted_bytes 1073741824\n"));
}

// Less than any disk has, and more.
TEST_F(AboutSite, HealthTellsWhereRunnersFindNoRoom) {
  const auto ask = [&](std::uint64_t free_disk, const std::string& target, const std::string& client,
                       const std::string& token = "") {
    SiteSettings settings;
    settings.free_disk = free_disk;
    Request asked = request("GET", target);
    asked.client = client;
    asked.bearer = token;
    Site site = *Site::open(folder_ / "mash.db", settings);
    const Response response = site.answer(asked);
    EXPECT_EQ(response.status, 200) << target;
    return std::string(response.text());
  };
  constexpr std::uint64_t kNone = 0, kTooMuch = std::uint64_t(4) << 60;
  const std::string here = "127.0.0.1", elsewhere = "192.0.2.1", path = (folder_ / "store").string();
  for (const std::string& client : {here, elsewhere}) EXPECT_EQ(ask(kNone, "/healthz", client), "ok\n");
  EXPECT_THAT(ask(kTooMuch, "/healthz", here),
              ::testing::MatchesRegex("no room: store " + path +
                                      ": its disk has [0-9.]+ [A-Za-z]+ of free space, expected at least "
                                      "4.0 EiB: submissions wait until it has\n"));
  EXPECT_EQ(ask(kTooMuch, "/healthz", elsewhere), "no room: submissions wait\n");
  const Json told = Json::parse(ask(kTooMuch, "/healthz.json", here));
  EXPECT_GT(told["store"]["free_bytes"], 0u);
  EXPECT_EQ(told.size(), 2u);
  EXPECT_EQ(told["store"]["wanted_bytes"], kTooMuch);
  EXPECT_EQ(told["status"], "no room");
  EXPECT_EQ(Json::parse(ask(kTooMuch, "/healthz.json", elsewhere)).dump(),
            R"({"status":"no room","store":null})");
  EXPECT_EQ(Json::parse(ask(kNone, "/healthz.json", elsewhere, "olga-token"))["store"]["wanted_bytes"], 0u);
  EXPECT_THAT(ask(kTooMuch, "/operator", here, "olga-token"),
              HasSubstr("expected at least 4.0 EiB: submissions wait until it has"));
  EXPECT_THAT(ask(kNone, "/operator", here, "olga-token"), Not(HasSubstr("free space")));
  EXPECT_EQ(said_of({"store", 5, 5, "store/hog-1"}),
            "store store: nothing can be written to store/hog-1, expected all of it to belong to the user of "
            "the runners (chown -R): submissions wait until then");
}

TEST(ExampleSource, IsThatOfTheTemplate) {
  std::string text =
      *read_file(std::filesystem::path(mash::testing::source_folder()) / "sdk/template/blank" / kExampleFile);
  for (const auto& [mark, words] :
       {std::pair("@ID@", "your-name/row-means"), std::pair("@AUTHOR@", "Your Name")})
    text.replace(text.find(mark), std::string(mark).size(), words);
  EXPECT_EQ(kExampleSource, text);
}

TEST_F(AboutSite, TheOpenApiDocumentHasEveryAddressOfTheApi) {
  const Json document = Json::parse(get("/api/v1/openapi.json").body);
  EXPECT_EQ(document["openapi"], "3.0.3");
  EXPECT_EQ(document["servers"][0]["url"], "http://mash.test");
  std::set<std::string> told;
  for (const auto& [path, methods] : document["paths"].items())
    for (const auto& [method, operation] : methods.items()) {
      std::string upper = method;
      std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return char(std::toupper(c)); });
      told.insert(upper + " " + std::regex_replace(path, std::regex("\\{[a-z]+\\}"), "{}"));
      // A name in braces is a parameter of the path.
      const auto& parameters = operation["parameters"];
      const auto num_in_path =
          std::ranges::count_if(parameters, [](const Json& parameter) { return parameter["in"] == "path"; });
      EXPECT_EQ(num_in_path, std::ranges::count(path, '{')) << path;
      EXPECT_EQ(operation["responses"].size(), 2u) << path;
    }
  const std::vector<std::string> routes = routes_below("/api/v1/");
  EXPECT_EQ(told, std::set<std::string>(routes.begin(), routes.end()));
}

// Each place that names a schema, below this.
void gather_references(const Json& document, std::set<std::string>& names) {
  if (document.is_object() && document.contains("$ref")) names.insert(document["$ref"]);
  if (document.is_structured())
    for (const Json& inner : document) gather_references(inner, names);
}

TEST_F(AboutSite, TheOpenApiDocumentNamesNoSchemaThatItHasNot) {
  const Json document = Json::parse(get("/api/v1/openapi.json").body);
  std::set<std::string> names;
  gather_references(document, names);
  EXPECT_GT(names.size(), 8u);
  for (const std::string& name : names)
    EXPECT_TRUE(document.contains(Json::json_pointer(name.substr(1)))) << name;
  EXPECT_EQ(document["components"]["schemas"]["Removal"]["properties"]["why"]["type"], "string");
  EXPECT_EQ(document["components"]["schemas"]["State"]["enum"].size(), 11u);
}

// An answer has the keys that the document says, and no others.
TEST_F(AboutSite, AnswersAreAsTheOpenApiDocumentSays) {
  const auto id = publish("ada", "ada/holes", gain(1));
  const Json schemas = Json::parse(get("/api/v1/openapi.json").body)["components"]["schemas"];
  const auto keys = [](const Json& object) {
    std::set<std::string> names;
    for (const auto& [name, value] : object.items()) names.insert(name);
    return names;
  };
  const auto answer = [&](const std::string& target) { return Json::parse(get(target, "ada-token").body); };
  const auto expect_keys = [&](const Json& found, const Json& schema) {
    EXPECT_EQ(keys(found), keys(schema["properties"])) << found.dump(1);
  };
  expect_keys(answer(fmt::format("/api/v1/submissions/{}", id)), schemas["Submission"]);
  expect_keys(answer("/api/v1/me"), schemas["Me"]);
  expect_keys(answer("/api/v1/leaderboard?page=1"), schemas["Leaderboard"]);
  expect_keys(answer("/api/v1/boards")["boards"][0], schemas["Boards"]["properties"]["boards"]["items"]);
  expect_keys(answer("/api/v1/submissions")["submissions"][0],
              schemas["Submissions"]["properties"]["submissions"]["items"]);
  const Json heuristic = answer("/api/v1/heuristics/ada%2Fholes");
  expect_keys(heuristic, schemas["Heuristic"]);
  expect_keys(heuristic["versions"][0], schemas["Heuristic"]["properties"]["versions"]["items"]);
  expect_keys(answer("/api/v1/heuristics/nobody"), schemas["Error"]);
}

TEST_F(AboutSite, TheApiPageHasExamplesForThisServer) {
  const std::string body = get("/api").body;
  EXPECT_THAT(body, HasSubstr("http://mash.test/api/v1/submissions"));
  EXPECT_THAT(body, HasSubstr("href=\"/api/v1/openapi.json\""));
  EXPECT_THAT(body, Not(HasSubstr("<script")));
}

}  // namespace
}  // namespace mash::server
