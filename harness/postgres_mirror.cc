#include "harness/postgres_mirror.h"

#include <stdexcept>

#include "harness/database/campaign_database.h"
#include "harness/pods.h"
#include "sim/pg/mirrored_run.h"
#include "sim/pg/world_mirror.h"

namespace harness {
namespace {

void must(const std::expected<void, std::string>& done) {
  if (!done) throw std::runtime_error(done.error());
}

CampaignDatabase stepped(const std::string& server_dsn) {
  auto database = CampaignDatabase::create(server_dsn, campaign_id);
  if (!database) throw std::runtime_error(database.error());
  must(database->make_table());
  must(database->migrate());
  must(database->step_clock());
  return std::move(*database);
}

class PostgresMirror : public Mirror {
 public:
  PostgresMirror(const std::string& server_dsn, const sim::WorldSettings& settings)
      : database_(stepped(server_dsn)),
        stepped_(database_.dsn()),
        mirror_(stepped_, sim::pg::setup_of(settings)) {}

  std::optional<std::string> follow(std::span<const sim::DatabaseCall> calls) override {
    return mirror_.follow(calls);
  }
  std::optional<std::string> compare_rows(const sim::ModelDatabase& model) override {
    return mirror_.compare_rows(model);
  }
  std::int64_t steps() const override { return mirror_.steps(); }

 private:
  CampaignDatabase database_;
  sim::pg::SteppedDatabase stepped_;
  sim::pg::WorldMirror mirror_;
};

}  // namespace

MakeMirror mirror_on_postgres(const std::string& server_dsn) {
  return [server_dsn](const sim::WorldSettings& settings) -> std::unique_ptr<Mirror> {
    return std::make_unique<PostgresMirror>(server_dsn, settings);
  };
}

}  // namespace harness
