// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/base/result.hpp"

namespace mash {

// A value that a setting may have, with the word for it.
template <class Value>
struct Choice {
  std::string_view name;
  Value value;
};
template <class Value>
Choice(const char*, Value) -> Choice<Value>;

// Origin of a setting's value.
enum class Origin {
  kFile,
  kOverride,  // the caller, in place of what the file says
};

// Key-value pairs as the user wrote them ("{id: hog, cell: 4}"), each remembering where, until somebody who
// knows the keys reads them. Reading a key marks it as known; `finish` refuses what nobody knew.
//
//   Settings s = ...;
//   MASH_ASSIGN(auto cell, s.integer("cell", 4, 1, 64));
//   MASH_TRY(s.finish("heuristic hog"));
//
// The same code finds all errors at once, and says what keys there are: given `for_checking()`, see there.
class Settings {
 public:
  struct Entry {
    std::string key, value, where;  // value: of a list, as `list_in_words` has it
    Origin origin = Origin::kFile;
    std::optional<std::vector<std::string>> items = {};  // of a list
    std::string folder = {};  // where a file that the value names is looked for first; "": where one stands
  };

  // where: names its place in errors, "file.yaml:12". Adding a key again replaces it.
  void add(std::string key, std::string value, std::string where, Origin origin = Origin::kFile);
  void add_list(std::string key, std::vector<std::string> items, std::string where,
                Origin origin = Origin::kFile);
  void add(Entry entry);

  bool has(std::string_view key) const;
  // The key's text, or nothing where the key is absent; does not mark it as known.
  std::optional<std::string> peek(std::string_view key) const;
  void erase(std::string_view key);
  void keep_only(Origin origin);

  // Each returns the key's value, or `fallback` where the key is absent.
  // Errors: not of the type, outside the range or not among the choices, naming place, found and expected.
  Result<std::int64_t> integer(std::string_view key, std::int64_t fallback, std::int64_t minimum,
                               std::int64_t maximum);
  Result<double> real(std::string_view key, double fallback, double minimum, double maximum);
  enum class Kind {
    kInteger,
    kReal,
    kBoolean,
    kChoice,
    // Texts: the caller finds out whether they are what they should be, with `refuse` where they are not.
    kText,
    kList,    // texts: a list of them, or one text with commas between
    kAmount,  // a whole number from 1, or a share above 0 and at most 1
  };
  // words: texts that stand for something of their own.
  Result<std::string> text(std::string_view key, std::string fallback, Kind kind = Kind::kText,
                           std::vector<std::string> words = {});
  // Texts as a list has them, or the parts of one text between commas, without blanks around them.
  Result<std::vector<std::string>> list(std::string_view key, std::vector<std::string> fallback = {});
  Result<bool> boolean(std::string_view key, bool fallback);
  Result<std::string> choice(std::string_view key, std::string fallback,
                             std::span<const std::string_view> choices);

  // A number, or nothing where the key is absent or its value is this word.
  Result<std::optional<std::int64_t>> integer_or(std::string_view key, std::string_view word,
                                                 std::int64_t minimum, std::int64_t maximum);
  Result<std::optional<double>> real_or(std::string_view key, std::string_view word, double minimum,
                                        double maximum);

  // The same as `choice` with what each choice stands for: what Choices (an array or vector of Choice<Value>)
  // holds.
  template <class Value, class Choices>
  Result<Value> one_of(std::string_view key, Value fallback, const Choices& choices) {
    std::vector<std::string_view> names;
    const auto name_of = [&](const Value& value) {  // of several, the last
      std::string name;
      for (const Choice<Value>& choice : choices)
        if (choice.value == value) name = choice.name;
      return name;
    };
    for (const Choice<Value>& choice : choices) names.push_back(choice.name);
    MASH_ASSIGN(const std::string name, this->choice(key, name_of(fallback), names));
    for (const Choice<Value>& choice : choices)
      if (choice.name == name) {
        holds(key, name_of(choice.value));
        return choice.value;
      }
    return fallback;
  }

  // Notes the value of a key that the caller reads, in a spelling that all texts of its meaning share.
  // REQUIRES: the key was read.
  void holds(std::string_view key, std::string spelling);

  // Refuses keys that were never read; lists the known ones. whose: "sampler laminating".
  Status finish(std::string_view whose);
  // For errors of the caller's own, where more keys are to be read: MASH_TRY(settings.refuse(error)).
  Status refuse(Error error);
  // Refuses the key, if it is there, since nothing looks at it without another setting. Says so only where
  // nothing else is wrong: that other one may be misspelt. needed: "examples: fixed".
  Status refuse_without(std::string_view key, std::string_view needed);
  // "file.yaml:12: cell: found 'x', expected a word". REQUIRES: has(key)
  Error unexpected(std::string_view key, std::string_view expected) const;

  // A copy whose errors are kept in `problems` while reading goes on, with the fallback in place of what is
  // wrong; its `finish` ends the reading with an error (kStopped). So callers that have a key read open no
  // file and make nothing before `finish`.
  Settings for_checking() const;
  bool is_checking() const { return is_checking_; }
  std::span<const Error> problems() const { return problems_; }

  // Where the key was written, or "" when it is absent; for errors of one's own.
  std::string where(std::string_view key) const;
  // Its Entry::folder, or "".
  std::string folder(std::string_view key) const;

  std::span<const Entry> entries() const { return entries_; }

  // A key that was asked for, its fallback as the user would write it, and what it takes.
  struct Known {
    std::string key, fallback;
    Kind kind = Kind::kText;
    double minimum = 0, maximum = 0;      // of numbers
    std::vector<std::string> words = {};  // the choices; of others, what may stand in their place
    // The value as it holds, given or not; equal to `fallback` where a default is written out.
    std::string holds = {};
  };
  // In the order in which they were first asked for.
  std::span<const Known> known() const { return known_; }

 private:
  // The entry of the key, or null where it is absent; the key is known from now on.
  const Entry* find(Known known);

  std::vector<Entry> entries_;
  std::vector<Known> known_;
  bool is_checking_ = false;
  std::vector<Error> problems_;
};

// "[a, "b, c"]": items in quotes where they are not plain.
std::string list_in_words(std::span<const std::string> items);
// The texts of a list that is written as one text, "a, b" or "[a, b]"; "" is one empty text.
std::vector<std::string> split_list(std::string_view text);

// "unknown sampler 'lamnating'; did you mean 'laminating'? known: full, laminating, ..."
Error unknown_name(std::string_view what, std::string_view found, std::span<const std::string_view> known);

// A setting as it is given behind an option, "sampler.budget=5".
struct Assignment {
  std::string key, value;
  std::string where;  // "--set sampler.budget=5"
};
// called: what the user calls it, "--set". Errors (kInput): no line of UTF-8 text, no key, no '='.
Result<Assignment> parse_assignment(std::string_view called, std::string_view text);

// A 64-bit size with an optional binary suffix K, M, G or T ("4G").
Result<std::uint64_t> parse_size(std::string_view text);

}  // namespace mash
