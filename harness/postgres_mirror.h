// The mirror of a simulated night on a PostgreSQL server.
#pragma once

#include <string>

#include "harness/simulation/mirror.h"

namespace harness {

// Each mirror has a database of its own there, made and dropped. A server that can't be asked is a
// std::runtime_error, of the making or of the following.
MakeMirror mirror_on_postgres(const std::string& server_dsn);

}  // namespace harness
