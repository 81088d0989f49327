// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "framework/base/result.hpp"

namespace mash {

// A secret that nobody guesses: 256 bits of the system's random numbers as 43 characters of base64url.
std::string make_secret();
// A secret as a number, for choices that must not be guessed: 64 of the system's random bits.
std::uint64_t make_secret_number();

// `password` as Argon2id keeps it (RFC 9106, its second recommended setting: 64 MiB, 3 passes, 4 lanes), with
// a salt of its own. Takes some 0.1 s and 64 MiB. Errors (kFailure): no memory.
Result<std::string> hash_password(std::string_view password);
// Whether it is the password that gave the hash; takes as long. A hash that is none matches nothing.
bool matches_password(const std::string& hash, std::string_view password);

// Whether both are equal, in a time that does not tell where they differ.
bool equal_secrets(std::string_view a, std::string_view b);

}  // namespace mash
