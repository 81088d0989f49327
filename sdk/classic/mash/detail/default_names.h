/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MASH_CLASSIC_DETAIL_DEFAULT_NAMES_H
#define MASH_CLASSIC_DETAIL_DEFAULT_NAMES_H

#include <string>

namespace Mash {
namespace sdk_detail {

/* The id, version and author of a heuristic whose build names none, from its source file by the custom of the
 * original: "alice/Edge_Map_v3.cpp" is "alice/edge-map-v3" in version 3.0.0, by alice. Without a folder the
 * author is "unknown". */
struct DefaultNames {
  explicit DefaultNames(const std::string& source_file) {
    const size_t slash = source_file.rfind('/');
    std::string stem = source_file.substr(slash + 1);
    stem = stem.substr(0, stem.rfind('.'));
    std::string folder;
    if (slash != std::string::npos) folder = source_file.substr(0, slash);
    folder = word(folder.substr(folder.rfind('/') + 1), "unknown");
    copy(folder, author);
    copy(folder + "/" + word(stem, "heuristic"), id);
    const size_t suffix = stem.rfind("_v");
    std::string number;
    if (suffix != std::string::npos) number = stem.substr(suffix + 2);
    if (number.empty() || number.find_first_not_of("0123456789") != std::string::npos) number = "1";
    copy(number + ".0.0", version);
  }

  enum { kSize = 128 };

  char id[kSize];
  char version[kSize];
  char author[kSize / 2];

 private:
  /* As much of a name as an id may have. */
  static std::string word(const std::string& name, const char* otherwise) {
    std::string word;
    for (size_t i = 0; i < name.size() && word.size() < kSize / 2 - 1; ++i) {
      const char c = lower(name[i]);
      if (c != '-' || !word.empty()) word += c;
    }
    return word.empty() ? otherwise : word;
  }
  static char lower(char c) {
    if (c >= 'A' && c <= 'Z') return (char)(c - 'A' + 'a');
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ? c : '-';
  }
  template <size_t kRoom>
  static void copy(const std::string& text, char (&out)[kRoom]) {
    out[text.copy(out, kRoom - 1)] = '\0';
  }
};

}  // namespace sdk_detail
}  // namespace Mash

#endif
