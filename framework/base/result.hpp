// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cassert>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

namespace mash {

// The kind of an error; it decides the program's exit code.
enum class ErrorKind {
  kInput,    // the user's file, key, plugin or argument: exit 2
  kFailure,  // the work failed: disk full, database locked: exit 1
  kStopped,  // the user asked to stop: exit 1
};

// A text as a message shows it: without its end where it is very long, as a name in a file may be.
std::string shortened(std::string_view text, std::size_t most_bytes = 2000);
// "a, b, c and 39,997 more"
std::string listed(std::span<const std::string> names, std::size_t most = 20);
std::string listed(std::span<const std::string_view> names, std::size_t most = 20);

// A value that goes into a message about bad input; a text is shortened.
template <class T>
decltype(auto) in_message(const T& value) {
  if constexpr (std::is_convertible_v<const T&, std::string_view>)
    return shortened(value);
  else
    return (value);
}

// Why an operation did not happen: names the place, what was found and what was expected.
struct Error {
  ErrorKind kind = ErrorKind::kFailure;
  std::string message;

  // The same error with the place where it happened in front: "file.yaml:3: ...".
  Error at(std::string_view place) const { return {kind, fmt::format("{}: {}", shortened(place), message)}; }
};

template <class... Args>
Error input_error(fmt::format_string<Args...> format, Args&&... args) {
  return {ErrorKind::kInput, fmt::vformat(format, fmt::make_format_args(in_message(args)...))};
}
template <class... Args>
Error failure(fmt::format_string<Args...> format, Args&&... args) {
  return {ErrorKind::kFailure, fmt::format(format, std::forward<Args>(args)...)};
}

inline Error stopped_by_user() { return {ErrorKind::kStopped, "stopped by the user"}; }

// A value, or the reason that there is none. Exceptions are left for broken invariants.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value)
      : outcome_(std::move(value)) {}  // NOLINT(google-explicit-constructor): reads as `return value;`
  Result(Error error) : outcome_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return outcome_.index() == 0; }
  explicit operator bool() const { return ok(); }

  // REQUIRES: ok()
  T& operator*() & { return assert(ok()), std::get<0>(outcome_); }
  const T& operator*() const& { return assert(ok()), std::get<0>(outcome_); }
  // By value: what a loop or a reference binds of a temporary Result stays.
  T operator*() && { return assert(ok()), std::get<0>(std::move(outcome_)); }
  T* operator->() { return &**this; }
  const T* operator->() const { return &**this; }

  // REQUIRES: !ok()
  const Error& error() const { return std::get<1>(outcome_); }

 private:
  std::variant<T, Error> outcome_;
};

struct Done {};
// Success without a value, or an error. `return Done{};` is success.
using Status = Result<Done>;

}  // namespace mash

// Leaves the enclosing function with the error of `expression` (a Result), if it has one.
#define MASH_TRY(expression)                                                               \
  do {                                                                                     \
    if (auto mash_status_ = (expression); !mash_status_.ok()) return mash_status_.error(); \
  } while (false)

#define MASH_CONCAT_(a, b) a##b
#define MASH_CONCAT(a, b) MASH_CONCAT_(a, b)
#define MASH_ASSIGN_(temporary, declaration, expression) \
  auto temporary = (expression);                         \
  if (!temporary.ok()) return temporary.error();         \
  declaration = *std::move(temporary)

// MASH_ASSIGN(auto file, open(path)): declares `file` from the value of a Result, or leaves with its error.
#define MASH_ASSIGN(declaration, expression) \
  MASH_ASSIGN_(MASH_CONCAT(mash_result_, __LINE__), declaration, expression)
