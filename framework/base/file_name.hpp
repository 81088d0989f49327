// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace mash {

// A text as the name of a file or folder on any file system: letters of all scripts stay; control characters,
// bytes that are not UTF-8 and those of / \ : * ? " < > | become '_'. A name that is empty or begins with a
// full stop has '_' in front.
std::string as_file_name(std::string_view text);

// Names of files or folders for texts, other ones for other texts: where two would have the same, the later
// one gets a number behind it.
class FileNames {
 public:
  // The same for the same text each time.
  std::string name_of(const std::string& text);

 private:
  std::map<std::string, std::string> names_;  // by their texts
  std::set<std::string> taken_;
};

}  // namespace mash
