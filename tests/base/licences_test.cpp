// SPDX-License-Identifier: Apache-2.0
#include "framework/base/licences.hpp"

#include <gmock/gmock.h>

namespace mash {
namespace {

using ::testing::HasSubstr;

TEST(Licences, AreSpdxNamesOfFreeOnes) {
  for (const char* text : {"MIT", "Apache-2.0", "GPL-3.0-or-later", "CC0-1.0", "MIT OR Apache-2.0",
                           "MIT AND BSD-3-Clause OR ISC"})
    EXPECT_TRUE(check_licence(text).ok()) << text;
}

TEST(Licences, OtherTextsAreRefused) {
  for (const char* text : {" ", "Secret", "Secret stuff", "NOASSERTION", "LicenseRef-mine", "MIT ",
                           "MIT OR", "MIT OR ", " OR MIT", "MIT OR Secret", "MIT or ISC", "MIT  OR ISC"}) {
    const Status checked = check_licence(text);
    ASSERT_FALSE(checked.ok()) << text;
    EXPECT_EQ(checked.error().kind, ErrorKind::kInput);
    EXPECT_THAT(checked.error().message, HasSubstr("expected the SPDX name of a free licence")) << text;
    EXPECT_THAT(checked.error().message, HasSubstr(std::string("found '") + text + "'"));
  }
}

TEST(Licences, TheOneThatWasMeantIsNamed) {
  EXPECT_THAT(check_licence("").error().message, HasSubstr("found none, expected"));
  EXPECT_THAT(check_licence("mit").error().message, HasSubstr("; did you mean 'MIT'?"));
  EXPECT_THAT(check_licence("apache 2.0").error().message, HasSubstr("did you mean 'Apache-2.0'?"));
}

}  // namespace
}  // namespace mash
