// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/experiment/yaml_document.hpp"

#include <yaml-cpp/eventhandler.h>

#include <optional>
#include <sstream>

#include "framework/base/utf8.hpp"
#include "framework/operations/experiment/yaml_message.hpp"

namespace mash {
namespace {

// Where the document begins, and its first value that is no line of text: the file may be UTF-16, and escapes
// can stand for anything (yaml-cpp 0.7 gives single bytes for \_ and \N).
struct Survey final : YAML::EventHandler {
  YAML::Mark start, no_text;
  std::optional<std::string> found;

  void OnDocumentStart(const YAML::Mark& mark) override { start = mark; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                const std::string& value) override {
    if (found || is_line_of_text(value)) return;
    found = printable(value, 40);
    no_text = mark;
  }
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
  }
  void OnMapEnd() override {}
};

// Not by YAML::LoadAll, which on some texts that are not YAML (",") finds documents without end.
Status check_document(const std::string& text, const YamlSource& source) {
  std::istringstream stream(text);
  YAML::Parser parser(stream);
  Survey first, second;
  parser.HandleNextDocument(first);
  if (first.found)
    return input_error(
        "{}: found '{}' with control characters or bytes that are no UTF-8, expected a line of text",
        source.place(first.no_text), *first.found);
  if (!parser.HandleNextDocument(second)) return Done{};
  const YAML::Mark& place = second.start;
  if (place.pos == first.start.pos)
    return input_error("{}: not YAML: found '{}' where a document should begin", source.place(place),
                       printable(std::string_view(text).substr(std::size_t(place.pos), 1)));
  return input_error("{}: found a second document, expected one", source.place(place));
}

}  // namespace

std::string YamlSource::place(const YAML::Mark& mark) const {
  return mark.line < 0 || origin == Origin::kOverride
             ? name
             : fmt::format("{}:{}:{}", name, mark.line + 1, mark.column + 1);
}

Result<YAML::Node> parse_yaml(const std::string& whole, const YamlSource& source) {
  MASH_TRY(check_utf8(whole, source.name));
  // A comment at the end: a quote that is not closed would else take in all lines behind it without an error.
  const std::string text = whole + (whole.ends_with('\n') ? "#" : "\n#");
  try {
    YAML::Node root = YAML::Load(text);
    MASH_TRY(check_document(text, source));
    return root;
  } catch (const YAML::Exception& error) {
    return input_error("{}: not YAML: {}", source.place(error.mark), yaml_message(error.msg));
  }
}

}  // namespace mash
