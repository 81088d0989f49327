// SPDX-License-Identifier: Apache-2.0
#include "framework/base/hash.hpp"

#include <string>

namespace mash {
namespace {

// FIPS 180-4, examples.
constexpr const char* kOfNothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
constexpr const char* kOfAbc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
constexpr const char* kOfMillionA = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";

TEST(Sha256, EqualsThePublishedVectors) {
  EXPECT_EQ(sha256(""), kOfNothing);
  EXPECT_EQ(sha256("abc"), kOfAbc);
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1000000, 'a')), kOfMillionA);
}

TEST(Sha256, DoesNotDependOnThePieces) {
  Sha256 hash;
  hash.update("a");
  hash.update("");
  hash.update("bc");
  Sha256 moved = std::move(hash);
  EXPECT_EQ(moved.hex(), kOfAbc);
}

TEST(Checksum, SeesEveryChangedBit) {
  std::string bytes(100, 'a');
  const std::uint64_t before = checksum(std::as_bytes(std::span(bytes)));
  for (std::size_t bit = 0; bit < 800; ++bit) {
    bytes[bit / 8] = char(bytes[bit / 8] ^ (1 << bit % 8));
    EXPECT_NE(checksum(std::as_bytes(std::span(bytes))), before);
    bytes[bit / 8] = char(bytes[bit / 8] ^ (1 << bit % 8));
  }
  EXPECT_EQ(checksum(std::as_bytes(std::span(bytes))), before);
}

// A golden: stores written today must be readable by a build of tomorrow.
TEST(Checksum, GivesTheSameNumbersForEver) { EXPECT_EQ(checksum({}), 0x2d06800538d394c2u); }

}  // namespace
}  // namespace mash
