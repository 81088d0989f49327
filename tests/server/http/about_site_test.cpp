// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>

#include "framework/base/file.hpp"
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
  EXPECT_THAT(now, HasSubstr("in steps of 0.5 %"));
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
  for (const char* text : {"Digits &lt;1&gt;", "train: examples", "600", "0, 1", "never shown to anybody"})
    EXPECT_THAT(body, HasSubstr(text));
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
  EXPECT_THAT(body, HasSubstr("mash submit row_means.cpp --server http://mash.test --licence Apache-2.0"));
  EXPECT_THAT(body, HasSubstr("#include &lt;mash/heuristic.hpp&gt;"));
}

TEST_F(AboutSite, MetricsTellHowMuchRoomTheDiskHas) {
  EXPECT_THAT(get("/metrics").body, ::testing::ContainsRegex("mash_disk_free_bytes [1-9]"));
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
