// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/cli/options.hpp"
#include "framework/operations/site/client.hpp"

namespace mash {

// The work context of a command that asks a server. On a terminal it has a line on stderr below all remarks,
// which may be drawn again.
class ServerWork {
 public:
  explicit ServerWork(const OutputOptions& output);
  const WorkContext& context() const { return context_; }
  void show_line(std::string_view text);  // empty: no line

 private:
  // Takes the line away before anything else is printed.
  class Line final : public Remarks {
   public:
    Line(bool is_shown, Remarks& remarks) : is_shown_(is_shown), remarks_(remarks) {}
    ~Line() override { clear(); }
    void show(std::string_view text);
    void warn(std::string_view text) override;
    void tell(std::string_view text) override;

   private:
    void clear();

    const bool is_shown_;
    bool is_drawn_ = false;
    Remarks& remarks_;
  };

  CommandWork command_;
  Line line_;
  WorkContext context_;
};

inline constexpr double kMostSecondsToWait = 3600;  // where no --timeout is given

// Waits for a submission to end: events as remarks, and on a terminal a line that says how it stands; then
// prints its document, or what was found. Errors: it did not end as published, or not in that time; those of
// asking, with the command that goes on to wait.
Status wait_and_print(ServerClient& client, std::int64_t id, double most_seconds, const OutputOptions& output,
                      ServerWork& work);

}  // namespace mash
