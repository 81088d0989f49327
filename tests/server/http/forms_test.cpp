// SPDX-License-Identifier: Apache-2.0
// A form that is refused still has what was filled in.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/server/http/site_sample.hpp"

namespace mash::server {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

using RefusedForms = testing::SampleSite;

TEST_F(RefusedForms, APrivateSubmissionStaysPrivate) {
  const std::string session = session_of("ada"), token = form_token(session);
  const auto refused = [&](const std::string& more) {
    return with_its_body(site_.answer(form_request(
        "/submit", "form_token=" + token + "&source=int+a;&file_name=a.txt&licence=MIT" + more, session)));
  };
  const Response is_private = refused("&private=yes"), is_open = refused("");
  EXPECT_EQ(is_private.status, 422);
  EXPECT_THAT(is_private.body, HasSubstr("name=\"private\" value=\"yes\" checked>"));
  EXPECT_EQ(is_open.status, 422);
  EXPECT_THAT(is_open.body, HasSubstr("name=\"private\" value=\"yes\">"));
  EXPECT_THAT(is_open.body, HasSubstr("int a;"));
}

// The end of a source, and whether its text says that it takes an id of the board's own.
struct IdInSource {
  const char* end;
  int status;
};
constexpr IdInSource kIdsInSources[] = {
    {"MASH_HEURISTIC(A, \"hog\", \"1\", \"a\", \"b\", \"c\")", 422},
    {"MASH_HEURISTIC( A,\n  \"hog\", \"1\")", 422},
    {"MASH_HEURISTIC(A, \"mine/hog\", \"1\")", 201},
    {"MASH_HEURISTIC(A, ID, \"1\")", 201},
    {"MASH_HEURISTIC(A, \"h\" \"og\")", 201},
    {"MASH_HEURISTIC(A, \"hog", 201},
    {"MASH_HEURISTIC(A", 201},
    {"// as in MASH_HEURISTIC(A, \"hog\")\nMASH_HEURISTIC(A, \"mine\")", 201},
};

TEST_F(RefusedForms, AnIdOfTheBoardsOwnIsRefusedAtOnce) {
  ASSERT_TRUE(put_board_page(records_, board_, "uncovered.json", R"({"families": ["haar", "hog"]})").ok());
  for (const auto& [end, status] : kIdsInSources) {
    const nlohmann::json body{{"file_name", "a.cpp"}, {"licence", "MIT"}, {"source", end}};
    const Response response = post("/api/v1/submissions", "ada-token", body.dump());
    EXPECT_EQ(response.status, status) << end << ": " << response.body;
    if (status == 422) {
      EXPECT_THAT(response.body, HasSubstr("'hog' is the id of a heuristic of the board"));
    }
  }
}

TEST_F(RefusedForms, TheTextOfAnEndedSessionIsKept) {
  const std::string former = session_of("ada"), token = form_token(former);
  const std::string text = "source=long+work;&file_name=a.cpp&licence=MIT&private=yes&form_token=" + token;
  ASSERT_TRUE(revoke_tokens(records_, id_of("ada"), "session").ok());
  const auto sent_as = [&](const std::string& session) {
    return with_its_body(site_.answer(form_request("/submit", text, session)));
  };
  ASSERT_TRUE(add_token(records_, id_of("ada"), {.kind = "session"}, "the next session", 1).ok());
  for (const std::string& session : {std::string(), former, std::string("the next session")}) {
    const Response kept = sent_as(session);
    EXPECT_EQ(kept.status, session == "the next session" ? 403 : 401);
    EXPECT_THAT(kept.body, HasSubstr("long work;"));
    EXPECT_THAT(kept.body, HasSubstr("value=\"yes\" checked>"));
    EXPECT_THAT(kept.body, HasSubstr("once more"));
  }
  EXPECT_THAT(sent_as("the next session").body, HasSubstr(form_token("the next session")));
  Request elsewhere = form_request("/submit", text, "the next session");
  elsewhere.origin = "https://evil.test";
  const Response refused = with_its_body(site_.answer(elsewhere));
  EXPECT_EQ(refused.status, 403);
  EXPECT_THAT(refused.body, Not(HasSubstr("long work;")));
  EXPECT_TRUE(read_submissions(records_, {})->empty());
}

TEST_F(RefusedForms, TheSamePageSentTwiceIsOneSubmission) {
  const std::string session = session_of("ada"), token = form_token(session);
  const auto place = [&](const std::string& key, const std::string& source) {
    return header(
        site_.answer(form_request(
            "/submit",
            fmt::format("form_token={}&key={}&source={}&file_name=a.cpp&licence=MIT", token, key, source),
            session)),
        "Location");
  };
  const std::string page = get_in_session("/submit", session).body, mark = "name=\"key\" value=\"";
  ASSERT_NE(page.find(mark), std::string::npos);
  EXPECT_NE(page.substr(page.find(mark), 60),
            get_in_session("/submit", session).body.substr(page.find(mark), 60));
  EXPECT_EQ(place("one", "int+a;"), "/submissions/1");
  EXPECT_EQ(place("one", "int+a;"), "/submissions/1");
  EXPECT_EQ(place("one", "int+b;"), "/submissions/2");  // changed on the page before
  EXPECT_EQ(place("two", "int+a;"), "/submissions/3");  // on purpose
  EXPECT_EQ(place("", "int+a;"), "/submissions/4");
}

TEST_F(RefusedForms, AnUploadMayHaveAnyName) {
  const std::string session = session_of("ada"), token = form_token(session);
  Request upload = form_request("/submit", "", session);
  upload.content_type = "multipart/form-data; boundary=xy";
  const auto part = [](const std::string& name, const std::string& value) {
    return fmt::format("--xy\r\nContent-Disposition: form-data; name=\"{}\"\r\n\r\n{}\r\n", name, value);
  };
  for (const auto& [name, taken] : {std::pair("x (1).cpp", "x_1.cpp"), std::pair("größe.CPP", "gr_e.cpp")}) {
    upload.body = part("form_token", token) + part("licence", "MIT") +
                  part(fmt::format("file\"; filename=\"{}", name), "int a;") + "--xy--\r\n";
    const Response response = site_.answer(upload);
    ASSERT_EQ(response.status, 303) << name;
    EXPECT_EQ((*read_submissions(records_, {}))[0].file_name, taken);
  }
}

TEST_F(RefusedForms, AnInvitationIsNotTypedAgain) {
  SiteSettings settings;
  settings.registration = Registration::kInvitation;
  Site site = *Site::open(folder_ / "mash.db", settings);
  const Response refused =
      with_its_body(site.answer(form_request("/register", "invitation=the-code&name=new&password=short")));
  EXPECT_EQ(refused.status, 422);
  EXPECT_THAT(refused.body, HasSubstr("value=\"the-code\""));
  EXPECT_THAT(refused.body, Not(HasSubstr("short\"")));
}

}  // namespace
}  // namespace mash::server
