// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "framework/records/boards.hpp"

// Boards whose hidden pictures are hidden from nobody, because everybody can make or download the data.
namespace mash {

// "the pictures of its private part can be made by anybody, as its data are generated". Empty: as far as the
// experiment tells, the data are the operator's own. Its names are those of the generators, of the formats of
// one published data set, and of the files that the experiments of this program name.
std::string_view known_to_all(const Board& board);

// The same with the advice for an operator: "board digits: the pictures ...; for grades take ...".
std::string remark_on_known_pictures(const Board& board);

// The step of the Ladder of a new board: kPlaceboStep; 0 where everybody can have the pictures, of which a Ladder
// would withhold nothing while it makes ranks vague.
double usual_ladder_step(const Board& board);

}  // namespace mash
