// `--bug list`.
#pragma once

#include "harness/cli/commands.h"

namespace harness::cli {

// Every planted bug: its name, the oracle that must catch it, and what goes wrong; then the parts
// of statements that may be left out and that no oracle is promised to miss.
Exit show_bugs(bool json, const Terminal& terminal);

}  // namespace harness::cli
