// The states of a member's row, as the column has them.
#pragma once

#include "core/commands.h"

namespace core {

const char* name_of(RowState state);

}  // namespace core
