// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/picture_layout.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "framework/base/lower_case.hpp"
#include "framework/base/utf8.hpp"
#include "framework/dataset/picture_folder.hpp"
#include "framework/dataset/side_names.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;

struct ClassFolder {
  std::string name;
  FolderContent content;
  std::vector<std::vector<fs::path>> sequences = {};  // in name order; a picture that stands alone is one
};
using Classes = std::vector<ClassFolder>;

std::string counted(std::size_t count, std::string_view one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

std::string folder_names(const std::vector<fs::path>& folders) {
  constexpr std::size_t kMostShown = 5;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(folders.size(), kMostShown); ++i)
    names.push_back(printable(folders[i].filename().string()));
  if (folders.size() > kMostShown) names.push_back(fmt::format("{} more", folders.size() - kMostShown));
  return fmt::format("{}", fmt::join(names, ", "));
}

std::vector<fs::path> with_pictures(std::vector<fs::path> folders) {
  std::erase_if(folders, [](const fs::path& folder) { return !has_picture_below(folder); });
  return folders;
}

bool names_no_class(std::string_view folder) {
  static constexpr std::string_view kNames[] = {"unknown", "unlabeled", "unlabelled", "images", "pictures"};
  return side_named(folder) || std::ranges::find(kNames, in_lower_case(folder)) != std::end(kNames);
}

bool is_side(const fs::path& folder) { return side_named(folder.filename().string()).has_value(); }

// The end of the class in a picture's name, "obj12__345.png"; npos where there is none.
std::size_t class_end(const std::string& name) {
  const std::size_t end = name.find("__");
  return end == 0 || !is_line_of_text(name) ? std::string::npos : end;
}

// Where the sides of a data set stand.
struct Sides {
  fs::path train;
  std::optional<fs::path> validation, test;
};

// Finds pictures and remembers what it passes over.
class Search {
 public:
  Search(const fs::path& root, Films films) : root_(root), films_(films) {}

  Result<PictureLayout> run() {
    MASH_ASSIGN(const fs::path folder, unwrapped_root(root_));
    MASH_ASSIGN(const Sides sides, find_sides(folder));
    MASH_ASSIGN(Classes train, classes_of(sides.train, {}));
    std::set<std::string> names;
    for (const ClassFolder& listed : train) names.insert(listed.name);
    Classes validation, test;
    for (const auto& [side, classes] : {std::pair(&sides.validation, &validation), {&sides.test, &test}}) {
      if (!*side) continue;
      MASH_ASSIGN(const bool is_labelled, has_classes(**side));
      if (!is_labelled) continue;
      MASH_ASSIGN(*classes, classes_of(**side, names));
      MASH_TRY(compare_with_training(**side, names, *classes));
    }
    MASH_TRY(settle_sequences({&train, &validation, &test}));
    for (const Classes* side : {&validation, &test})
      for (const ClassFolder& listed : *side) names.insert(listed.name);
    if (names.size() > UINT16_MAX)
      return input_error("{}: found {} classes, expected at most {}", root_.string(), names.size(),
                         UINT16_MAX);
    layout_.class_names.assign(names.begin(), names.end());
    layout_.train = take_turns(train);
    layout_.validation = take_turns(validation);
    layout_.test = take_turns(test);
    if (others_.count() > 0)
      warn("{} left out: {}",
           others_.count() == 1 ? "1 file that is no picture"
                                : fmt::format("{} files that are no pictures", others_.count()),
           others_.in_words());
    return std::move(layout_);
  }

 private:
  template <class... Args>
  void warn(fmt::format_string<Args...> text, Args&&... args) {
    layout_.warnings.push_back(
        fmt::format("{}: {}", printable(root_.string()), fmt::format(text, std::forward<Args>(args)...)));
  }

  // The folder that holds the sides or classes: archives often have all in one folder more. known: names of
  // classes, which are no such folder; nor is one where there are films for certain, which may be of one
  // class.
  Result<fs::path> unwrapped(const fs::path& folder, const std::set<std::string>& known) const {
    if (films_ == Films::kYes) return folder;
    MASH_ASSIGN(const FolderContent content, look_into(folder));
    const std::vector<fs::path> only = with_pictures(content.folders);
    if (!content.pictures.empty() || only.size() != 1 || known.contains(only[0].filename().string()))
      return folder;
    MASH_ASSIGN(const FolderContent inner, look_into(only[0]));
    const bool holds_classes = inner.pictures.empty() && with_pictures(inner.folders).size() > 1;
    return holds_classes ? only[0] : folder;
  }

  // The folder that holds the sides, however deep it lies in others alone; else that of the classes.
  Result<fs::path> unwrapped_root(const fs::path& root) const {
    for (fs::path folder = root;;) {
      MASH_ASSIGN(const FolderContent content, look_into(folder));
      const std::vector<fs::path> inner = with_pictures(content.folders);
      if (std::ranges::any_of(inner, is_side)) return folder;
      if (!content.pictures.empty() || inner.size() != 1) return unwrapped(root, {});
      folder = inner[0];
    }
  }

  Result<Sides> find_sides(const fs::path& folder) {
    MASH_ASSIGN(const FolderContent content, look_into(folder));
    std::map<NamedSide, std::vector<fs::path>> named;
    std::vector<fs::path> unnamed;
    for (const fs::path& entry : content.folders)
      if (const auto side = side_named(entry.filename().string()))
        named[*side].push_back(entry);
      else
        unnamed.push_back(entry);
    if (named.empty()) return Sides{folder, {}, {}};
    const std::vector<fs::path> others = with_pictures(unnamed);
    const bool has_train = named.contains(NamedSide::kTrain),
               is_judged = named.size() > std::size_t(has_train);
    if (!others.empty() && !(has_train && is_judged)) {
      MASH_TRY(check_are_classes(folder, named));
      return Sides{folder, {}, {}};
    }
    if (!has_train)
      return input_error(
          "{}: found {}, but no side to train on; expected a folder train beside it, or folders of classes",
          folder.string(), folder_names(named.begin()->second));
    for (const auto& [side, folders] : named)
      if (folders.size() > 1)
        return input_error("{}: found the folders {}, which are names of one side; expected one of them",
                           folder.string(), folder_names(folders));
    if (!others.empty())
      warn("folders with pictures beside those of the sides are left out: {}", folder_names(others));
    if (!content.pictures.empty())
      warn("{} beside the folders of the sides left out", counted(content.pictures.size(), "picture"));
    const auto at = [&](NamedSide side) {
      return named.contains(side) ? std::optional(named[side][0]) : std::nullopt;
    };
    return Sides{*at(NamedSide::kTrain), at(NamedSide::kValidation), at(NamedSide::kTest)};
  }

  // Competitions publish the test side without classes.
  Result<bool> has_classes(const fs::path& side) {
    MASH_ASSIGN(const FolderContent content, look_into(side));
    if (!with_pictures(content.folders).empty()) return true;
    const bool has_names = std::ranges::any_of(content.pictures, [](const fs::path& picture) {
      return class_end(picture.stem().string()) != std::string::npos;
    });
    if (!has_names)
      warn("the side {} is left out: {} there, without classes", printable(side.filename().string()),
           counted(content.pictures.size(), "picture"));
    return has_names;
  }

  // Leaves out a side that is one folder whose name says that it is of no class: "test/unknown".
  Status compare_with_training(const fs::path& side, const std::set<std::string>& known, Classes& classes) {
    std::map<std::string, std::string> in_small;
    for (const std::string& name : known) in_small.emplace(in_lower_case(name), name);
    for (const ClassFolder& one : classes)
      if (const auto same = in_small.find(in_lower_case(one.name));
          same != in_small.end() && !known.contains(one.name))
        return input_error("{}: found the class {} in the side {}, expected the letters of {} as in training",
                           root_.string(), printable(one.name), printable(side.filename().string()),
                           printable(same->second));
    if (classes.size() != 1 || known.contains(classes[0].name) || !names_no_class(classes[0].name))
      return Done{};
    warn("the side {} is left out: {} there in a folder {}, without classes",
         printable(side.filename().string()), counted(classes[0].content.pictures.size(), "picture"),
         printable(classes[0].name));
    classes.clear();
    return Done{};
  }

  // A class may be called "test" where other classes stand beside it.
  Status check_are_classes(const fs::path& folder, const std::map<NamedSide, std::vector<fs::path>>& named) {
    for (const auto& [side, folders] : named)
      for (const fs::path& one : folders) {
        MASH_ASSIGN(const FolderContent content, look_into(one));
        if (content.pictures.empty() && !content.folders.empty())
          return input_error(
              "{}: found the folder {} beside others with pictures; it may be a side or a class. Expected "
              "train beside val or test, or another name; 'path: {}' reads that side alone",
              folder.string(), printable(one.filename().string()), printable(one.string()));
      }
    return Done{};
  }

  Result<Classes> classes_of(const fs::path& side, const std::set<std::string>& known) {
    MASH_ASSIGN(const fs::path folder, unwrapped(side, known));
    MASH_ASSIGN(FolderContent content, look_into(folder));
    if (content.folders.empty()) return named_classes(folder, content);
    Classes classes;
    for (const fs::path& entry : content.folders) {
      ClassFolder& listed = classes.emplace_back(ClassFolder{entry.filename().string(), {}});
      if (!is_line_of_text(listed.name))
        return input_error("{}: the name of the class folder is no line of UTF-8 text, expected it to be",
                           printable(entry.string()));
      MASH_ASSIGN(listed.content, look_into(entry));
      MASH_ASSIGN(const PicturesBelow below, pictures_below(entry));
      if (below.pictures.empty()) return no_pictures(entry, below.others);
      others_.add(below.others);
    }
    if (!content.pictures.empty())
      warn("{} beside the class folders left out", counted(content.pictures.size(), "picture"));
    return classes;
  }

  static Error no_pictures(const fs::path& folder, const OtherFiles& others) {
    return input_error(
        "{}: found no images in the class folder{}, expected {}, or folders with them", folder.string(),
        others.count() > 0 ? fmt::format(" but {}", others.in_words()) : std::string(), kPictureEndings);
  }

  // Pictures side by side whose names begin with that of their class: "obj12__345.png".
  static Result<Classes> named_classes(const fs::path& folder, const FolderContent& content) {
    std::map<std::string, ClassFolder> classes;
    for (const fs::path& picture : content.pictures) {
      const std::string name = picture.stem().string();
      const std::size_t end = class_end(name);
      if (end == std::string::npos)
        return input_error(
            "{}: found pictures but no class folders, and no class in the name of {}; expected a folder of "
            "pictures for each class, names such as obj1__0.png, or a list of them (list: FILE)",
            folder.string(), printable(picture.filename().string()));
      ClassFolder& listed = classes[name.substr(0, end)];
      listed.name = name.substr(0, end);
      listed.content.pictures.push_back(picture);
    }
    if (classes.empty())
      return input_error("{}: found no class folders, expected one folder of images per class",
                         folder.string());
    Classes named;
    for (auto& [name, listed] : classes) named.push_back(std::move(listed));
    return named;
  }

  Status settle_sequences(std::vector<Classes*> sides) {
    std::vector<ClassFolder*> classes;
    for (Classes* side : sides)
      for (ClassFolder& listed : *side) classes.push_back(&listed);
    if (films_ == Films::kAuto) MASH_TRY(check_order_of_folders(classes));
    MASH_ASSIGN(const bool are_films, find_films(classes));
    std::size_t num_films = 0, num_inner = 0;
    for (ClassFolder* listed : classes) {
      for (const fs::path& picture : listed->content.pictures) listed->sequences.push_back({picture});
      if (are_films && listed->sequences.empty()) {
        for (const fs::path& film : listed->content.folders) {
          MASH_ASSIGN(listed->sequences.emplace_back(), list_sequence(film, layout_.cameras));
        }
        num_films += listed->sequences.size();
        continue;
      }
      for (const fs::path& inner : listed->content.folders) {
        MASH_ASSIGN(const PicturesBelow below, pictures_below(inner));
        for (const fs::path& picture : below.pictures) listed->sequences.push_back({picture});
        num_inner += !below.pictures.empty();
      }
    }
    if (num_films > 0 && films_ == Films::kAuto)
      warn(
          "the numbered pictures are taken for {}, each of which stays on one side; 'films: false' takes "
          "each picture for itself",
          counted(num_films, "film"));
    if (num_inner > 0)
      warn(
          "the pictures in {} below the class folders are taken for pictures of the class, each for itself; "
          "'films: true' takes such folders for films",
          counted(num_inner, "folder"));
    return Done{};
  }

  // Folders of classes may stand below folders of sides, folds or persons, whose names nobody knows: then all
  // have the same folders in them.
  Status check_order_of_folders(const std::vector<ClassFolder*>& classes) const {
    std::vector<fs::path> inner;
    for (const ClassFolder* listed : classes) {
      if (!listed->content.pictures.empty()) return Done{};
      const std::vector<fs::path> folders = with_pictures(listed->content.folders);
      const auto is_numbered = [](const fs::path& one) {
        return one.filename().string().find_first_of("0123456789") != std::string::npos;
      };
      const bool is_first = inner.empty();
      if (folders.size() < 2 || std::ranges::any_of(folders, is_numbered)) return Done{};
      if (!is_first && !std::ranges::equal(inner, folders, {}, &fs::path::filename, &fs::path::filename))
        return Done{};
      inner = folders;
    }
    if (classes.size() < 2 || inner.empty()) return Done{};
    const bool are_sides = std::ranges::all_of(inner, is_side);
    return input_error(
        "{}: found the same folders ({}) in each of {} and the other folders, expected {}; 'films: false' "
        "takes "
        "{} and the others for the classes, each picture for itself",
        root_.string(), folder_names(inner), printable(classes[0]->name),
        are_sides ? "the folders of the sides above those of the classes"
                  : "the folders of the classes on top, or in folders called train and test",
        printable(classes[0]->name));
  }

  Result<bool> find_films(const std::vector<ClassFolder*>& classes) const {
    if (films_ != Films::kAuto) return films_ == Films::kYes;
    std::map<std::string, std::set<std::string>> of_class;
    std::size_t longest = 0;
    for (const ClassFolder* listed : classes) {
      if (!listed->content.pictures.empty()) return false;
      for (const fs::path& film : listed->content.folders) {
        MASH_ASSIGN(const std::size_t length, length_of_sequence(film));
        if (length == 0) return false;
        longest = std::max(longest, length);
        of_class[listed->name].insert(film.filename().string());
      }
    }
    return longest > 1 &&
           std::ranges::any_of(of_class, [](const auto& one) { return one.second.size() > 1; });
  }

  std::vector<PictureEntry> take_turns(const Classes& classes) const {
    std::vector<PictureEntry> entries;
    std::size_t longest = 0;
    for (const ClassFolder& listed : classes) longest = std::max(longest, listed.sequences.size());
    const std::vector<std::string>& names = layout_.class_names;
    std::uint32_t num_sequences = 0;
    for (std::size_t turn = 0; turn < longest; ++turn)
      for (const ClassFolder& listed : classes) {
        if (turn >= listed.sequences.size()) continue;
        const auto position = std::lower_bound(names.begin(), names.end(), listed.name) - names.begin();
        std::uint32_t place = 0;
        for (const fs::path& picture : listed.sequences[turn])
          entries.push_back({picture, std::uint16_t(position), num_sequences, place++});
        ++num_sequences;
      }
    return entries;
  }

  const fs::path& root_;
  Films films_;
  PictureLayout layout_;
  OtherFiles others_;
};

}  // namespace

Result<PictureLayout> find_pictures(const fs::path& folder, Films films) {
  std::error_code code;
  if (fs::is_regular_file(folder, code))
    return input_error("{}: found a file, expected a folder of pictures; 'list' names a list of them",
                       folder.string());
  return Search(folder, films).run();
}

Status choose_test_side(TestSide side, PictureLayout& layout) {
  const std::size_t num_validation = layout.validation.size();
  if (side == TestSide::kTest && layout.test.empty() && num_validation > 0)
    return input_error("found a validation side but no test side, expected 'validation' or 'auto'");
  if (side == TestSide::kValidation && num_validation == 0)
    return input_error(
        "found no validation side, expected one beside the training side (val, valid, "
        "validation or dev), or 'test'");
  const bool takes_validation = num_validation > 0 && (side == TestSide::kValidation || layout.test.empty());
  if (takes_validation && side == TestSide::kAuto)
    layout.warnings.push_back(
        fmt::format("the {} of the validation side are the test side, as there is no other",
                    counted(num_validation, "picture")));
  if (takes_validation)
    layout.test = std::move(layout.validation);
  else if (num_validation > 0 && side == TestSide::kAuto)
    layout.warnings.push_back(
        fmt::format("the {} of the validation side are not used; 'test_side: validation' puts them in the "
                    "place of the test side",
                    counted(num_validation, "picture")));
  layout.validation.clear();
  return Done{};
}

}  // namespace mash
