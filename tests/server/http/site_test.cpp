// SPDX-License-Identifier: Apache-2.0
#include "server/http/site.hpp"

#include <nlohmann/json.hpp>

#include "framework/base/secrets.hpp"
#include "tests/server/http/site_sample.hpp"

namespace mash::server {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(ReadTarget, DecodesPathAndQuery) {
  Request request;
  ASSERT_TRUE(read_target("/a%20b/c/?x=1+2&y=%26&x=3&&z", request));
  EXPECT_THAT(request.path, ElementsAre("a b", "c"));
  EXPECT_EQ(request.value("x"), "1 2");
  EXPECT_EQ(request.value("y"), "&");
  EXPECT_EQ(request.value("z"), "");
}

TEST(ReadTarget, RefusesWhatIsNoAddress) {
  for (const char* target : {"", "a", "*", "http://x/", "//", "/../x", "/a/%2e%2e/b", "/%", "/%4", "/%zz",
                             "/%0a", "/%ff", "/a?x=%00", "/\x01"}) {
    Request request;
    EXPECT_FALSE(read_target(target, request)) << target;
  }
}

constexpr const char* kSubmission = R"({"file_name": "a.cpp", "source": "int a;", "licence": "MIT"})";

class SiteTest : public testing::SampleSite {
 protected:
  SiteTest() { add("reader", kContributorRole, Scope::kRead); }
  Response submit(const std::string& token, const std::string& key = "") {
    Request asked = request("POST", "/api/v1/submissions");
    asked.bearer = token;
    asked.body = kSubmission;
    asked.request_key = key;
    return site_.answer(asked);
  }
};

TEST_F(SiteTest, ASubmissionNeedsATokenThatMaySubmit) {
  EXPECT_EQ(submit("").status, 401);
  EXPECT_EQ(submit("wrong").status, 401);
  EXPECT_EQ(submit("reader-token").status, 403);
  EXPECT_TRUE(read_submissions(records_, {})->empty());
  const Response taken = submit("ada-token");
  EXPECT_EQ(taken.status, 201);
  const std::int64_t id = Json::parse(taken.body)["id"];
  const Json document = Json::parse(get(fmt::format("/api/v1/submissions/{}", id)).body);
  EXPECT_EQ(document["state"], "received");
  EXPECT_EQ(document["contributor"], "ada");
  EXPECT_EQ(document["events"].size(), 1u);
}

TEST_F(SiteTest, TheSameRequestTwiceIsOneSubmission) {
  for (int i = 0; i < 2; ++i) EXPECT_EQ(submit("ada-token", "key-1").status, 201);
  EXPECT_EQ(read_submissions(records_, {})->size(), 1u);
}

TEST_F(SiteTest, AKeyIsOfOneSource) {
  Request asked = request("POST", "/api/v1/submissions");
  asked.bearer = "ada-token";
  asked.request_key = "key-1";
  const auto handed = [&](const char* source) {
    asked.body = Json{{"file_name", "a.cpp"}, {"source", source}, {"licence", "MIT"}}.dump();
    return site_.answer(asked);
  };
  EXPECT_EQ(handed("int a;").status, 201);
  const Response other = handed("int b;");
  EXPECT_EQ(other.status, 422);
  EXPECT_THAT(other.body, HasSubstr("submission 1 was handed in with this key and another source"));
  ASSERT_TRUE(cancel_submission(records_, 1).ok());
  EXPECT_EQ(handed("int a;").status, 201);
  EXPECT_EQ(read_submissions(records_, {})->size(), 1u);
}

TEST_F(SiteTest, AFileIsTakenUnderAPlainName) {
  for (const auto& [name, taken] :
       {std::pair("x (1).CPP", "x_1.cpp"), std::pair("gr\u00f6\u00dfe.cpp", "gr_e.cpp"),
        std::pair("\u65e5\u672c.cpp", "source.cpp")}) {
    const Json body{{"file_name", name}, {"source", "int a;"}, {"licence", "MIT"}};
    const Response response = post("/api/v1/submissions", "ada-token", body.dump());
    ASSERT_EQ(response.status, 201) << response.body;
    EXPECT_EQ(Json::parse(response.body)["file_name"], taken);
  }
}

TEST_F(SiteTest, NothingIsTakenWhereTheDiskHasNoRoom) {
  SiteSettings settings;
  settings.free_disk = std::uint64_t(4) << 60;  // more than any disk has
  Site site = *Site::open(folder_ / "mash.db", settings);
  Request asked = request("POST", "/api/v1/submissions");
  asked.bearer = "ada-token";
  asked.body = kSubmission;
  const Response refused = site.answer(asked);
  EXPECT_EQ(refused.status, 503);
  EXPECT_NE(header(refused, "Retry-After"), "");
  EXPECT_THAT(refused.body, HasSubstr("has no room for submissions now"));
  EXPECT_TRUE(read_submissions(records_, {})->empty());
}

TEST_F(SiteTest, ASourceThatIsTakenBackIsNotKept) {
  NewSubmission submission;
  submission.source = "int taken_back;";
  const std::string place = fmt::format("/submissions/{}", hand_in("ada", submission));
  ASSERT_EQ(post("/api/v1" + place + "/cancel", "ada-token").status, 200);
  const Response page = get(place);
  EXPECT_EQ(page.status, 200);
  EXPECT_THAT(page.body, HasSubstr("taken back before it was judged"));
  EXPECT_THAT(page.body, Not(HasSubstr("int taken_back;")));
  for (const std::string& source : {place + "/source", "/api/v1" + place + "/source"}) {
    EXPECT_EQ(get(source).status, 410);
    EXPECT_THAT(get(source).body, HasSubstr("taken back before it was judged"));
  }
}

TEST_F(SiteTest, SettingsOfAHeuristicAreTakenAndShown) {
  const Response handed = post("/api/v1/submissions", "ada-token",
                               R"({"file_name": "a.cpp", "source": "int a;", "licence": "MIT",
                                   "settings": {"levels": 8, "clip": 0.2, "norm": "<l2>"}})");
  ASSERT_EQ(handed.status, 201) << handed.body;
  const auto id = Json::parse(handed.body)["id"].get<std::int64_t>();
  const Json document = Json::parse(get(fmt::format("/api/v1/submissions/{}", id)).body);
  EXPECT_EQ(document["settings"], Json({{"levels", "8"}, {"clip", "0.2"}, {"norm", "<l2>"}}));
  const std::string page = get(fmt::format("/submissions/{}", id)).body;
  EXPECT_THAT(page, HasSubstr("levels=8"));
  EXPECT_THAT(page, HasSubstr("norm=&lt;l2&gt;"));
  const std::string other = post("/api/v1/submissions", "ada-token",
                                 R"({"file_name": "a.cpp", "source": "int a;", "licence": "MIT"})")
                                .body;
  EXPECT_EQ(Json::parse(other)["settings"], Json::object());
}

TEST_F(SiteTest, ABodyThatIsNoSubmissionIsAnErrorThatNamesTheKey) {
  const auto refusal = [&](const std::string& body) {
    const Response response = post("/api/v1/submissions", "ada-token", body);
    EXPECT_EQ(response.status, 422);
    return Json::parse(response.body)["error"].get<std::string>();
  };
  EXPECT_THAT(refusal("{"), HasSubstr("JSON object"));
  EXPECT_THAT(refusal("[]"), HasSubstr("JSON object"));
  EXPECT_THAT(refusal(R"({"sauce": "x"})"), HasSubstr("'sauce': is unknown"));
  EXPECT_THAT(refusal(R"({"private": 1})"), HasSubstr("true or false"));
  EXPECT_THAT(refusal(R"({"settings": "levels=8"})"), HasSubstr("key 'settings': expected an object"));
  EXPECT_THAT(refusal(R"({"settings": {"levels": [8]}})"),
              HasSubstr("key 'settings': 'levels': expected a number or text"));
  EXPECT_THAT(
      refusal(R"({"file_name": "a.cpp", "source": "x", "licence": "MIT", "settings": {"levels": ""}})"),
      HasSubstr("key 'settings': found 'levels=', expected a name and a value"));
  EXPECT_THAT(refusal(R"({"file_name": "../a.cpp", "source": "x", "licence": "MIT"})"),
              HasSubstr("without a folder"));
  EXPECT_THAT(refusal(R"({"file_name": "a hole.txt", "source": "x", "licence": "MIT"})"),
              HasSubstr("key 'file_name': expected the name of a C++ source"));
  EXPECT_EQ(refusal("{\"source\": \"gr\xf6\xdf"
                    "er\"}"),
            "the body:1: found the byte 0xf6 at offset 14, expected UTF-8 text");
  EXPECT_THAT(refusal(R"({"file_name": "a.cpp", "source": "x"})"), HasSubstr("'licence'"));
  for (const auto& [licence, found] :
       {std::pair{"", "none"}, std::pair{"Secret", "'Secret'"}, std::pair{"Secret stuff", "'Secret stuff'"}})
    EXPECT_THAT(refusal(Json{{"file_name", "a.cpp"}, {"source", "x"}, {"licence", licence}}.dump()),
                HasSubstr(fmt::format("key 'licence': found {}, expected the SPDX name of a free", found)));
  EXPECT_THAT(refusal(R"({"file_name": "a.cpp", "licence": "MIT"})"), HasSubstr("'source'"));
  const Json large{
      {"file_name", "a.cpp"}, {"source", std::string(kUsualSourceBytes + 1, 'x')}, {"licence", "MIT"}};
  EXPECT_THAT(refusal(large.dump()),
              HasSubstr("key 'source': found 4194305 bytes, expected at most 4194304"));
  EXPECT_TRUE(read_submissions(records_, {})->empty());
}

TEST_F(SiteTest, OnlyItsContributorCancelsASubmissionAndOnce) {
  const std::string place = fmt::format("/api/v1/submissions/{}", hand_in("ada"));
  EXPECT_EQ(post(place + "/cancel", "").status, 401);
  EXPECT_EQ(post(place + "/cancel", "eve-token").status, 403);
  EXPECT_EQ(Json::parse(post(place + "/cancel", "ada-token").body)["state"], "cancelled");
  EXPECT_EQ(post(place + "/cancel", "ada-token").status, 422);
  EXPECT_THAT(get("/submissions/1").body,
              HasSubstr("This submission is cancelled: its contributor ended it"));
  const std::int64_t other = hand_in("ada");
  EXPECT_EQ(post(fmt::format("/api/v1/submissions/{}/cancel", other), "olga-token").status, 200);
  EXPECT_THAT(get(fmt::format("/submissions/{}", other)).body,
              HasSubstr("This submission is cancelled: an operator ended it"));
}

TEST_F(SiteTest, AnOperatorSeesWhatFailedByTheServersFault) {
  const std::string operates = session_of("olga", Scope::kOperate);
  EXPECT_THAT(get_in_session("/operator", operates).body, HasSubstr("Nothing failed by the server's fault."));
  const auto ends = [&](SubmissionState state, Blame fault, const std::string& why) {
    hand_in("ada");
    ASSERT_TRUE(end_submission(records_, **take_submission(records_, 60), state, why, fault, 1).ok());
  };
  ends(SubmissionState::kRejected, Blame::kContributor, "it is theirs");
  ends(SubmissionState::kFailed, Blame::kContributor, "it is theirs too");
  for (int i = 0; i < 21; ++i)
    ends(SubmissionState::kFailed, Blame::kServer, fmt::format("<why> {} it failed", i));
  const std::string page = get_in_session("/operator", operates).body;
  EXPECT_THAT(page, HasSubstr("<a href=\"/submissions/23\">23</a> of ada, for digits, received on "));
  EXPECT_THAT(page, AllOf(HasSubstr("&lt;why&gt; 20 it failed"), HasSubstr("&lt;why&gt; 1 it failed")));
  EXPECT_THAT(page, AllOf(Not(HasSubstr("&lt;why&gt; 0 it failed")), Not(HasSubstr("it is theirs"))));
  EXPECT_LT(page.find("20 it failed"), page.find("19 it failed")) << "the newest first";
}

TEST_F(SiteTest, ThePageOfASubmissionEscapesItAndGoesOnWithoutAScriptWhileItIsInWork) {
  NewSubmission submission;
  submission.source = "<script>alert(1)</script>";
  const std::int64_t id = hand_in("ada", submission);
  const std::string place = fmt::format("/submissions/{}", id), refresh = "http-equiv=\"refresh\"";
  const Response response = get(place);
  EXPECT_EQ(response.status, 200);
  EXPECT_THAT(response.body, HasSubstr("&lt;script&gt;"));
  EXPECT_THAT(response.body, Not(HasSubstr("<script>")));
  EXPECT_THAT(response.body, HasSubstr(refresh));
  EXPECT_THAT(response.body, HasSubstr("<script src=\"/live.js\""));
  ASSERT_TRUE(cancel_submission(records_, id).ok());
  EXPECT_THAT(get(place).body, Not(HasSubstr(refresh)));
}

TEST_F(SiteTest, EventsThatAreThereAreSentAndLaterOnesComeAsNews) {
  const std::int64_t id = hand_in("ada");
  const std::string place = fmt::format("/api/v1/submissions/{}/events", id);
  const Response stream = get(place);
  EXPECT_EQ(stream.content_type, "text/event-stream");
  EXPECT_THAT(stream.body, HasSubstr("event: step\ndata: {\"id\":1,"));
  ASSERT_TRUE(stream.stream.has_value());
  EXPECT_EQ(stream.stream->topic, id);
  EXPECT_TRUE(site_.news(stream.stream->after_id).empty());

  const Lease lease = **take_submission(records_, 60);
  ASSERT_TRUE(enter_state(records_, lease, SubmissionState::kCompiling, "compiling\n\nevent: evil").ok());
  ASSERT_TRUE(cancel_submission(records_, id).ok());
  const std::vector<News> news = site_.news(stream.stream->after_id);
  ASSERT_EQ(news.size(), 2u);
  EXPECT_EQ(news[0].topic, id);
  EXPECT_FALSE(news[0].is_last);
  EXPECT_THAT(news[0].text, Not(HasSubstr("\nevent: evil")));
  EXPECT_TRUE(news[1].is_last);
  EXPECT_THAT(news[1].text, HasSubstr("event: end"));

  const Response whole = get(place + "?after=1");
  EXPECT_FALSE(whole.stream.has_value());
  EXPECT_THAT(whole.body, Not(HasSubstr("id: 1\n")));
  EXPECT_THAT(whole.body, HasSubstr("event: end"));
}

TEST_F(SiteTest, AnIdWithABeginningIsAnAddressAsItIsWritten) {
  publish("ada", "ada/holes", gain(2.5));
  for (const char* place :
       {"/heuristics/ada/holes", "/heuristics/ada%2Fholes", "/heuristics/ada/holes/badge.svg",
        "/heuristics/ada%2Fholes/badge.svg", "/api/v1/heuristics/ada/holes"})
    EXPECT_EQ(get(place).status, 200) << place;
  for (const char* place : {"/heuristics/ada", "/heuristics/ada/holes/more", "/heuristics/ada/edges",
                            "/heuristics", "/heuristics/holes", "/heuristics/ada/holes/badge.svg/x"})
    EXPECT_EQ(get(place).status, 404) << place;
  EXPECT_THAT(get("/feed.atom").body, HasSubstr("Finding: adds, +2.5"));
}

TEST_F(SiteTest, AReportLeadsBackToItsSubmission) {
  Judgement judgement = gain(2.5);
  judgement.report_html = "<!DOCTYPE html>\n<html><body>\n<h1>report</h1></body></html>";
  publish("ada", "rows", judgement);
  EXPECT_THAT(get("/submissions/1/report").body,
              HasSubstr("<body>\n<nav aria-label=\"Submission\"><a href=\"/submissions/1\">"));
  EXPECT_EQ(get("/api/v1/submissions/1/report").body, judgement.report_html);
}

TEST_F(SiteTest, ReportsAreThereOnceJudged) {
  const std::int64_t waiting = hand_in("ada");
  EXPECT_EQ(get(fmt::format("/submissions/{}/report", waiting)).status, 404);
  ASSERT_TRUE(cancel_submission(records_, waiting).ok());
  publish("ada", "rows", gain(2.5));
  EXPECT_THAT(get("/submissions/2/report").body, HasSubstr("<p>report</p>"));
  EXPECT_EQ(get("/submissions/2/report.json").body, "{}");
  EXPECT_EQ(get("/submissions/2/report.pdf").status, 404);
  const Json document = Json::parse(get("/api/v1/submissions/2").body);
  EXPECT_EQ(document["judgement"]["gain"], 2.5);
  EXPECT_NEAR(document["judgement"]["gain_ci95"].get<double>(), .3, 1e-12);
}

TEST_F(SiteTest, NothingOfWhatWasRemovedIsShown) {
  publish("ada", "rows", gain(2.5));
  ASSERT_TRUE(remove_submission(records_, 1, "not theirs").ok());
  EXPECT_EQ(get("/submissions/1").status, 410);
  EXPECT_THAT(get("/submissions/1").body, HasSubstr("not theirs"));
  for (const char* place : {"/submissions/1/source", "/submissions/1/report",
                            "/api/v1/submissions/1/report.json", "/api/v1/submissions/1/events"})
    EXPECT_EQ(get(place).status, 404) << place;
  EXPECT_THAT(get("/api/v1/submissions/1").body, Not(HasSubstr("2.5")));
}

TEST_F(SiteTest, AQuotaThatIsUsedUpIsSaidAndCostsNothingElse) {
  for (int i = 0; i < 10; ++i) hand_in("ada");
  const Response many = submit("ada-token");
  EXPECT_EQ(many.status, 429);
  EXPECT_THAT(many.body, HasSubstr("10 of your submissions"));
  EXPECT_EQ(submit("eve-token").status, 201);
  ASSERT_TRUE(set_quota(records_, id_of("eve"), 0).ok());
  EXPECT_THAT(submit("eve-token").body, HasSubstr("0 s of the 0 s"));
  EXPECT_EQ(read_submissions(records_, {})->size(), 11u);
}

TEST_F(SiteTest, WhatIsNotThereIsSaidAsWasAsked) {
  EXPECT_THAT(get("/nowhere").body, HasSubstr("<!DOCTYPE html>"));
  EXPECT_EQ(Json::parse(get("/api/v1/nowhere").body).count("error"), 1u);
  for (const char* place : {"/nowhere", "/api/v1/nowhere", "/api/v2/boards", "/submissions/x",
                            "/submissions/-1", "/submissions/99999999999999999999", "/submissions/1"})
    EXPECT_EQ(get(place).status, 404) << place;
  const Response response = site_.answer(request("DELETE", "/api/v1/submissions"));
  EXPECT_EQ(response.status, 405);
  EXPECT_THAT(response.headers, ElementsAre(std::pair<std::string, std::string>("Allow", "GET, POST")));
}

// Passwords that must be hashed wait for their turn; all else is answered at once, while others wait.
TEST_F(SiteTest, OnlyWorkOnPasswordsWaitsForATurn) {
  ASSERT_TRUE(
      add_user(records_, {0, "carl", std::string(kContributorRole), *hash_password("long enough")}).ok());
  struct Row {
    std::string target, form;
    int status;  // 0: it wants a turn
  };
  const Row rows[] = {
      {"/login", "name=ada&password=ada-token", 303},    {"/login", "name=carl&password=long+enough", 0},
      {"/login", "name=carl&password=wrong", 0},         {"/login", "name=carl&password=ada-token", 0},
      {"/login", "name=nobody&password=ada-token", 0},   {"/register", "name=dora&password=short", 422},
      {"/register", "name=dora&password=long+enough", 0}};
  for (const Row& row : rows) {
    Request asked = form_request(row.target, row.form);
    asked.has_turn = false;
    const Response response = site_.answer(asked);
    EXPECT_EQ(response.wants_turn, row.status == 0) << row.form;
    if (row.status != 0) {
      EXPECT_EQ(response.status, row.status) << row.form;
    }
  }
  EXPECT_FALSE(find_user(records_, "dora")->has_value());
  EXPECT_EQ(site_.answer(form_request("/register", "name=dora&password=long+enough")).status, 303);
}

TEST(Forms, OfEitherKindAreRead) {
  const auto plain = read_form("application/x-www-form-urlencoded; charset=UTF-8", "a=1+2&b=%0Ax&a=3");
  ASSERT_TRUE(plain.ok());
  EXPECT_EQ(value_of(*plain, "a"), "1 2");
  EXPECT_EQ(value_of(*plain, "b"), "\nx");
  const auto parts = read_form("multipart/form-data; boundary=\"xy\"",
                               "--xy\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\none\r\n--xx\r\n"
                               "--xy\r\ncontent-disposition: form-data; name=\"f\"; filename=\"b.cpp\"\r\n"
                               "Content-Type: text/x-c++\r\n\r\nint b;\r\n--xy--\r\n");
  ASSERT_TRUE(parts.ok());
  EXPECT_EQ(value_of(*parts, "a"), "one\r\n--xx");
  EXPECT_EQ(value_of(*parts, "f"), "int b;");
  EXPECT_EQ(value_of(*parts, "f.file_name"), "b.cpp");
}

// By the grammar of parameters, and with text before the first part (RFC 2046, RFC 7578, RFC 9110).
TEST(Forms, MayBeWrittenInEachLegalWay) {
  const auto value = [](const std::string& type, const std::string& disposition, const std::string& before) {
    const auto form =
        read_form("multipart/form-data" + type, before + "--xy \r\nContent-Disposition: form-data" +
                                                    disposition + "\r\n\r\none\r\n--xy--\r\nand after");
    return form.ok() ? std::string(value_of(*form, "a")) + std::string(value_of(*form, "a.file_name"))
                     : form.error().message;
  };
  for (const char* type :
       {"; boundary=xy", ";boundary=xy", ";  boundary=xy", "; Boundary=xy", " ; BOUNDARY=\"xy\" ",
        "; charset=utf-8; boundary=xy", ";; x; boundary=xy;", "; c=\"; boundary=z\"; boundary=xy"})
    EXPECT_EQ(value(type, "; name=\"a\"", ""), "one") << type;
  for (const char* name :
       {";name=\"a\"", ";\tname=a", "; Name=\"a\"", " ; NAME = x; name=a ", "; x=\"name=b\"; name=a"})
    EXPECT_EQ(value("; boundary=xy", name, ""), "one") << name;
  EXPECT_EQ(value("; boundary=xy", ";name=a;FileName=\"b \\\"\\\\ c\\d.cpp\"", ""), "oneb \"\\ c\\d.cpp");
  for (const char* before : {"\r\n", "a preamble\r\n", "--x\r\n"})
    EXPECT_EQ(value("; boundary=xy", "; name=\"a\"", before), "one") << before;
}

TEST(Forms, TextThatIsNoUtf8IsNamed) {
  const auto trouble_of = [](const std::string& disposition) {
    const auto form = read_form("multipart/form-data; boundary=xy",
                                "--xy\r\nContent-Disposition: form-data; " + disposition +
                                    "\r\n\r\n// gr\xf6\xdf"
                                    "er\r\n--xy--\r\n");
    return form.ok() ? "" : form.error().message;
  };
  EXPECT_EQ(trouble_of("name=\"file\"; filename=\"x.cpp\""),
            "x.cpp:1: found the byte 0xf6 at offset 5, expected UTF-8 text");
  EXPECT_EQ(trouble_of("name=\"source\""),
            "field 'source':1: found the byte 0xf6 at offset 5, expected UTF-8 text");
}

TEST(Forms, WhatIsNoneIsRefused) {
  const std::string type = "multipart/form-data; boundary=xy";
  EXPECT_FALSE(read_form("application/json", "{}"));
  EXPECT_FALSE(read_form("application/x-www-form-urlencoded", "a=%f"));
  EXPECT_FALSE(read_form("application/x-www-form-urlencoded", "a=%00"));
  EXPECT_FALSE(read_form("multipart/form-data", "--xy--"));
  EXPECT_FALSE(read_form("multipart/form-data; boundary=", "----"));
  for (const char* body :
       {"", "--xy", "--xy\r\n", "--xy\r\n\r\n--xy--", "x--xy--", "--xy\r\nname=a\r\n\r\nx\r\n--xy--",
        "--xy\r\nContent-Disposition: form-data; name=\"a\r\n\r\nx\r\n--xy--",
        "--xy\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n\xff\r\n--xy--",
        "--xy\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx"})
    EXPECT_FALSE(read_form(type, body)) << body;
  std::string many;
  for (int i = 0; i < 101; ++i) many += fmt::format("a{}=1&", i);
  EXPECT_FALSE(read_form("application/x-www-form-urlencoded", many));
}

}  // namespace
}  // namespace mash::server
