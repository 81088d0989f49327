// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/picture_list.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "framework/base/lower_case.hpp"
#include "framework/base/number.hpp"
#include "framework/base/utf8.hpp"
#include "framework/dataset/side_names.hpp"

namespace mash {
namespace {

struct ListedPicture {
  std::string path, label, split;
  std::size_t line = 0;
};

std::string_view trimmed_part(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

std::string_view unquoted(std::string_view part) {
  const bool is_quoted = part.size() > 1 && part.front() == '"' && part.back() == '"';
  return is_quoted ? part.substr(1, part.size() - 2) : part;
}

std::vector<std::string> parts_of(std::string_view line) {
  const char separator = line.find('\t') != std::string_view::npos  ? '\t'
                         : line.find(',') != std::string_view::npos ? ','
                         : line.find(';') != std::string_view::npos ? ';'
                                                                    : ' ';
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = line.find(separator);
    const std::string_view part = unquoted(trimmed_part(line.substr(0, end)));
    if (!part.empty() || separator != ' ') parts.emplace_back(part);
    if (end == std::string_view::npos) return parts;
    line.remove_prefix(end + 1);
  }
}

// Whether a first line names its columns, as tables do: "filename,label".
bool is_header(const std::vector<std::string>& parts) {
  static constexpr std::string_view kPaths[] = {"path",  "file",    "filename", "file_name",
                                                "image", "picture", "id"};
  static constexpr std::string_view kLabels[] = {"label", "class", "target", "category"};
  const auto is_of = [](const std::string& text, std::span<const std::string_view> names) {
    return std::ranges::find(names, in_lower_case(text)) != names.end();
  };
  return parts.size() > 1 && is_of(parts[0], kPaths) && is_of(parts[1], kLabels);
}

Result<ListedPicture> parse_line(std::string_view line, std::size_t number) {
  const auto parts = parts_of(line);
  if (parts.size() < 2 || parts.size() > 3)
    return input_error(
        "found {} part{}, expected 'path label' or 'path label split' (between tabs or commas where a path "
        "has blanks)",
        parts.size(), parts.size() == 1 ? "" : "s");
  ListedPicture picture{parts[0], parts[1], parts.size() == 3 ? parts[2] : "", number};
  if (picture.path.empty() || picture.label.empty())
    return input_error("found an empty {}, expected 'path label' or 'path label split'",
                       picture.path.empty() ? "path" : "label");
  if (!picture.split.empty() && !side_named(picture.split))
    return input_error("found split '{}', expected train, validation or test", picture.split);
  return picture;
}

Result<std::vector<ListedPicture>> parse_lines(const LoadedSource& list) {
  std::vector<ListedPicture> pictures;
  std::map<std::string, std::size_t> lines;
  std::string_view rest = without_byte_order_mark(list.bytes);
  for (std::size_t number = 1; !rest.empty(); ++number) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = trimmed_part(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.empty() || line.starts_with('#')) continue;
    const std::string where = fmt::format("{}:{}", list.place(), number);
    if (!is_utf8(line)) return input_error("{}: found bytes that are not UTF-8, expected text", where);
    if (pictures.empty() && is_header(parts_of(line))) continue;
    Result<ListedPicture> picture = parse_line(line, number);
    if (!picture.ok()) return picture.error().at(where);
    if (const auto [other, is_new] = lines.emplace(picture->path, number); !is_new)
      return input_error("{}: {} is listed on line {} already", where, picture->path, other->second);
    if (!pictures.empty() && pictures.front().split.empty() != picture->split.empty())
      return input_error("{}: found {} split, expected one on all lines or on none (line {} has {})", where,
                         picture->split.empty() ? "no" : "a", pictures.front().line,
                         pictures.front().split.empty() ? "none" : "one");
    pictures.push_back(*std::move(picture));
  }
  if (pictures.empty())
    return input_error("{}: found no pictures, expected lines 'path label' or 'path label split'",
                       list.place());
  return pictures;
}

std::vector<std::string> names_of(const std::vector<ListedPicture>& pictures) {
  std::set<std::string> labels;
  for (const ListedPicture& picture : pictures) labels.insert(picture.label);
  std::vector<std::string> names(labels.begin(), labels.end());
  const auto number = [](const std::string& name) {
    return name.size() < 10 ? number_in<std::uint32_t>(name) : std::nullopt;
  };
  if (std::ranges::all_of(names, [&](const std::string& name) { return number(name).has_value(); }))
    std::ranges::stable_sort(names, {}, number);
  return names;
}

std::vector<PictureEntry>& side_of(const ListedPicture& picture, PictureLayout& layout) {
  const auto side = side_named(picture.split).value_or(NamedSide::kTrain);
  if (side == NamedSide::kTrain) return layout.train;
  return side == NamedSide::kTest ? layout.test : layout.validation;
}

}  // namespace

Result<PictureLayout> parse_picture_list(const LoadedSource& list, const std::filesystem::path& folder) {
  MASH_ASSIGN(const std::vector<ListedPicture> pictures, parse_lines(list));
  PictureLayout layout;
  layout.class_names = names_of(pictures);
  if (layout.class_names.size() > UINT16_MAX)
    return input_error("{}: found {} classes, expected at most {}", list.place(), layout.class_names.size(),
                       UINT16_MAX);
  std::map<std::string, std::uint16_t> index;
  for (std::size_t i = 0; i < layout.class_names.size(); ++i) index[layout.class_names[i]] = std::uint16_t(i);
  for (const ListedPicture& picture : pictures) {
    auto& side = side_of(picture, layout);
    side.push_back({folder / picture.path, index[picture.label], std::uint32_t(side.size()), 0});
  }
  if (layout.train.empty())
    return input_error("{}: found no picture of split train, expected some to train on", list.place());
  return layout;
}

}  // namespace mash
