// SPDX-License-Identifier: Apache-2.0
#include "framework/base/bounded_json.hpp"

#include <string>

namespace mash {
namespace {

// Counts what the parser meets, and ends it where that is too much. The parser keeps a bit for each level:
// depth costs it no stack.
class Counter final : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit Counter(const JsonBounds& bounds) : bounds_(bounds) {}

  const std::string& trouble() const { return trouble_; }

  bool null() override { return add(); }
  bool boolean(bool) override { return add(); }
  bool number_integer(number_integer_t) override { return add(); }
  bool number_unsigned(number_unsigned_t) override { return add(); }
  bool number_float(number_float_t, const string_t&) override { return add(); }
  bool string(string_t&) override { return add(); }
  bool binary(binary_t&) override { return add(); }
  bool key(string_t&) override { return true; }
  bool start_object(std::size_t) override { return begin(); }
  bool start_array(std::size_t) override { return begin(); }
  bool end_object() override { return end(); }
  bool end_array() override { return end(); }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception&) override {
    return refuse(fmt::format("no JSON from byte {} on", position));
  }

 private:
  bool refuse(std::string why) {
    trouble_ = std::move(why);
    return false;
  }
  bool add() {
    return ++num_values_ <= bounds_.values || refuse(fmt::format("more than {} values", bounds_.values));
  }
  bool begin() {
    if (++depth_ > bounds_.depth) return refuse(fmt::format("nested more than {} deep", bounds_.depth));
    return add();
  }
  bool end() {
    --depth_;
    return true;
  }

  const JsonBounds& bounds_;
  std::size_t depth_ = 0, num_values_ = 0;
  std::string trouble_;
};

}  // namespace

Status check_json(std::string_view text, const JsonBounds& bounds) {
  if (text.size() > bounds.bytes)
    return input_error("found {} bytes of JSON, expected at most {}", text.size(), bounds.bytes);
  Counter counter(bounds);
  if (nlohmann::json::sax_parse(text, &counter)) return Done{};
  return input_error("found {}", counter.trouble());
}

}  // namespace mash
