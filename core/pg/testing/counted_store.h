// A store whose statements' work can be read: buffers touched, which no load of the machine
// changes.
#pragma once

#include <memory>
#include <stdexcept>
#include <utility>

#include "core/pg/pqxx_transport.h"
#include "core/pg/testing/campaign.h"

namespace core::pg::testing {

class CountedStore {
 public:
  explicit CountedStore(Campaign& campaign)
      : campaign_(campaign),
        store_(std::make_unique<Flushing>(
                   connect_with_pqxx({.dsn = campaign.database.dsn(), .statement_timeout = 60s})),
               Context{"spring", "provider", campaign.policy}) {
    PgStore::Opened opened;
    if (const auto refused = store_.open({std::nullopt, campaign.policy.rate_per_s}, opened))
      throw std::runtime_error(refused->message);
  }

  StoreReply answered(const StoreCommand& command) {
    StoreReply reply = store_.execute(command);
    if (reply.answer.status != StoreStatus::answered) throw std::runtime_error(reply.answer.error);
    return reply;
  }
  Claimed claim(const StoreCommand& command) {
    return std::get<Claimed>(answered(command).answer.result);
  }
  // Of heaps and indexes, in this statement.
  std::int64_t buffers_of(const StoreCommand& command) {
    const std::int64_t before = buffers();
    answered(command);
    return buffers() - before;
  }
  std::int64_t buffers() {
    return campaign_.sql().number(
        "select sum(heap_blks_hit + heap_blks_read + coalesce(idx_blks_hit + idx_blks_read, 0))"
        " from pg_statio_user_tables");
  }

 private:
  // A session tells its counts to others now and then; here, after each statement.
  class Flushing : public Transport {
   public:
    explicit Flushing(std::unique_ptr<Transport> inner) : inner_(std::move(inner)) {}
    Result execute(const Statement& statement, const std::vector<std::string>& params) override {
      Result result = inner_->execute(statement, params);
      inner_->execute({"flush", "select pg_stat_force_next_flush()"}, {});
      return result;
    }

   private:
    std::unique_ptr<Transport> inner_;
  };

  Campaign& campaign_;
  PgStore store_;
};

}  // namespace core::pg::testing
