// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "framework/base/result.hpp"

namespace mash {

// The text of a file that bundles are made of; nothing where there is none. path: from the root of the source
// tree on.
std::optional<std::string_view> bundled_text(std::string_view path);

// Words of templates, such as "@NAME@", and the texts in their place.
using Words = std::map<std::string, std::string>;
std::string with_words(std::string text, const Words& words);

// Checks that a heuristic's source can be part of a larger one. Errors (kInput): it includes a header that is
// neither C++'s nor the SDK's, or opens the namespace of the SDK. name: the source's.
Status check_source(const std::string& name, const std::string& text);

// The lines that make a heuristic's source part of a larger one, in a namespace and with a symbol of its own:
// "PREFIX_source_N" and "PREFIX_plugin_N". REQUIRES: check_source of the text.
std::string as_part(const std::string& text, const std::string& prefix, std::size_t number);

// One source made of a template and the files that it includes, each where it is first included. The headers
// of C++ are included once, at the line "//@INCLUDES@".
class Amalgamation {
 public:
  // words: are replaced in templates (*.in), which the first text was too; outlive it.
  explicit Amalgamation(const Words& words) : words_(words) {}

  // REQUIRES: the text includes headers of C++ or of bundled files alone, or those of own_header.
  std::string of(const std::string& text, const std::string& own_header);

 private:
  void add(std::string_view folder, std::string_view text);
  void include(std::string_view folder, const std::string& name);

  const Words& words_;
  std::string own_header_;
  std::set<std::string> taken_;
  std::set<std::string> of_language_;
  std::string body_;
};

}  // namespace mash
