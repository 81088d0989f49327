// SPDX-License-Identifier: Apache-2.0
#include "framework/base/base64.hpp"

#include <openssl/evp.h>

namespace mash {

std::string base64(std::string_view bytes) {
  std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0');  // and the zero that OpenSSL puts behind it
  EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                  reinterpret_cast<const unsigned char*>(bytes.data()), int(bytes.size()));
  text.pop_back();
  return text;
}

std::optional<std::string> bytes_of_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::string bytes(text.size() / 4 * 3, '\0');
  if (EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                      reinterpret_cast<const unsigned char*>(text.data()), int(text.size())) < 0)
    return std::nullopt;
  for (std::size_t i = 1; i <= 2 && i <= text.size() && text[text.size() - i] == '='; ++i) bytes.pop_back();
  if (base64(bytes) != text) return std::nullopt;  // OpenSSL skips spaces, and takes more signs of the end
  return bytes;
}

}  // namespace mash
