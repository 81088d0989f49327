// SPDX-License-Identifier: Apache-2.0
// A form that is refused still has what was filled in.
#include <gmock/gmock.h>

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
