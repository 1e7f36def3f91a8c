// The scenario's moments at statements: told to a proxy between the sender and the database, which
// makes what becomes of them and reports. Never timed.
#pragma once

#include <expected>
#include <memory>
#include <string>
#include <vector>

#include "harness/live_process.h"
#include "harness/postgres_proxy/proxy.h"
#include "scenarios/scenario.h"

namespace harness {

// It puts a TriggerReport for each event at a statement, whose moment lasts until go_on(); a
// process's door has the number of its pod. `reports` must outlive it.
std::expected<std::unique_ptr<postgres_proxy::Proxy>, std::string> strike_statements(
    const std::string& dsn, const std::vector<scenarios::Event>& events, Reports& reports);

}  // namespace harness
