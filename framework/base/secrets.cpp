// SPDX-License-Identifier: Apache-2.0
#include "framework/base/secrets.hpp"

#include <argon2.h>
#include <openssl/crypto.h>
#include <openssl/rand.h>

#include <array>
#include <bit>
#include <cstdint>

#include "framework/base/require.hpp"

namespace mash {
namespace {

constexpr std::uint32_t kPasses = 3, kKibibytes = 64 << 10, kLanes = 4;
constexpr std::size_t kSaltBytes = 16, kHashBytes = 32;

template <std::size_t n>
std::array<unsigned char, n> random_bytes() {
  std::array<unsigned char, n> bytes;
  require(RAND_bytes(bytes.data(), int(n)) == 1, "secrets: the system gives random numbers");
  return bytes;
}

}  // namespace

std::string make_secret() {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const auto bytes = random_bytes<33>();  // a whole number of groups of three
  std::string secret;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::uint32_t group =
        std::uint32_t(bytes[i]) << 16 | std::uint32_t(bytes[i + 1]) << 8 | bytes[i + 2];
    for (const int shift : {18, 12, 6, 0}) secret += kDigits[(group >> shift) & 63];
  }
  return secret.substr(0, 43);
}

std::uint64_t make_secret_number() { return std::bit_cast<std::uint64_t>(random_bytes<8>()); }

Result<std::string> hash_password(std::string_view password) {
  const auto salt = random_bytes<kSaltBytes>();
  std::string encoded(argon2_encodedlen(kPasses, kKibibytes, kLanes, kSaltBytes, kHashBytes, Argon2_id),
                      '\0');
  const int code =
      argon2id_hash_encoded(kPasses, kKibibytes, kLanes, password.data(), password.size(), salt.data(),
                            salt.size(), kHashBytes, encoded.data(), encoded.size());
  if (code != ARGON2_OK) return failure("the password cannot be hashed: {}", argon2_error_message(code));
  encoded.resize(encoded.find('\0'));
  return encoded;
}

bool matches_password(const std::string& hash, std::string_view password) {
  return argon2id_verify(hash.c_str(), password.data(), password.size()) == ARGON2_OK;
}

bool equal_secrets(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace mash
