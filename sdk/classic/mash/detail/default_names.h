/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MASH_CLASSIC_DETAIL_DEFAULT_NAMES_H
#define MASH_CLASSIC_DETAIL_DEFAULT_NAMES_H

#include <string>

namespace Mash {
namespace sdk_detail {

/* The id and version of a heuristic whose build names none, from its source file by the custom of the
 * original: "dir/Edge_Map_v3.cpp" is "edge-map" in version 3.0.0. */
struct DefaultNames {
  explicit DefaultNames(const std::string& source_file) {
    std::string stem = source_file.substr(source_file.rfind('/') + 1);
    stem = stem.substr(0, stem.rfind('.'));
    std::string number = "1";
    const size_t suffix = stem.rfind("_v");
    const size_t digits = suffix == std::string::npos ? stem.size() : suffix + 2;
    if (digits < stem.size() && stem.find_first_not_of("0123456789", digits) == std::string::npos) {
      number = stem.substr(digits);
      stem.erase(suffix);
    }
    std::string name;
    for (size_t i = 0; i < stem.size(); ++i) {
      const char c = lower(stem[i]);
      if (c != '-' || !name.empty()) name += c;
    }
    copy(name.empty() ? "classic-heuristic" : name, id);
    copy(number + ".0.0", version);
  }

  enum { kSize = 128 };

  char id[kSize];
  char version[kSize];

 private:
  static char lower(char c) {
    if (c >= 'A' && c <= 'Z') return (char)(c - 'A' + 'a');
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ? c : '-';
  }
  static void copy(const std::string& text, char* out) { out[text.copy(out, kSize - 1)] = '\0'; }
};

}  // namespace sdk_detail
}  // namespace Mash

#endif
