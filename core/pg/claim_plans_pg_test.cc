// A claim takes no more than it was asked for, whatever plan it runs under.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <string>

#include "core/pg/codec.h"
#include "core/pg/pqxx_transport.h"
#include "core/pg/testing/campaign.h"

namespace core::pg {
namespace {

using testing::Campaign;

// Each is switched as a whole.
constexpr std::array switches = {"enable_hashjoin",
                                 "enable_mergejoin",
                                 "enable_nestloop",
                                 "enable_material enable_memoize",
                                 "enable_seqscan",
                                 "enable_bitmapscan",
                                 "enable_hashagg enable_sort",
                                 "enable_indexscan enable_indexonlyscan"};

std::string set_to(unsigned set) {
  std::string sql = "select";
  for (std::size_t i = 0; i < switches.size(); ++i) {
    std::istringstream names(switches[i]);
    for (std::string name; names >> name;) {
      if (sql.back() == ')') sql += ',';
      sql += " set_config('" + name + "', '" + ((set >> i & 1) != 0 ? "on" : "off") + "', false)";
    }
  }
  return sql;
}

// The way that takes too many: the list is made anew for each row that is compared with it, and
// what the statement has changed already is skipped.
constexpr const char* in_a_limited_list =
    "update campaign_targets set retry_token = '00000000-0000-0000-0000-000000000001',"
    " retry_lease_until = campaign_clock() + interval '90 s' where campaign_id = 'spring'"
    " and member_id in (select member_id from campaign_targets where campaign_id = 'spring'"
    " and not_before <= campaign_clock() and retry_lease_until is null"
    " order by not_before limit 2 for update skip locked) returning member_id";

class EveryPlan {
 public:
  EveryPlan() {
    campaign_.policy.batch = 2;
    campaign_.start_over(30);
    campaign_.sender();  // makes the campaign's and the provider's rows
    campaign_.sql().run(
        "update campaign_targets set not_before = campaign_clock() - interval '1 s'"
        " where member_id <= 20");
    ours_ = connect_with_pqxx({campaign_.database.dsn(), Duration(0), true, "plans"});
    answered(Plan{0});
    campaign_.sql().run("analyze");
    others_.run("begin");
    others_.run("select from campaign_targets where member_id in (2, 5) for update");
    others_.run("select from campaign_batches where batch_id = 1 for update");
  }

  // The most that `claim` took at once, over all ways to join, scan and keep.
  template <typename Claim>
  std::size_t most(const Claim& claim) {
    std::size_t most = 0;
    for (unsigned set = 0; set < 1u << switches.size(); ++set) {
      run(set_to(set));
      most = std::max(most, claim());
      run("update campaign_targets set retry_token = null, retry_lease_until = null"
          " where retry_token is not null");
      run("update campaign_batches set state = 'open', lease_until = null, maybe_sent_since = null"
          " where state = 'leased'");
    }
    return most;
  }
  std::size_t claim(const StoreCommand& command) {
    const StoreReply reply = answered(command);
    return std::get<Claimed>(reply.answer.result).members.size();
  }
  std::size_t run(const std::string& sql) {
    const Result result = ours_->execute({"plain", sql}, {});
    EXPECT_EQ(result.error, "");
    return result.rows.size();
  }

 private:
  StoreReply answered(const StoreCommand& command) {
    const Call call = encode(command, {"spring", "provider", campaign_.policy});
    const Result result = ours_->execute(call.statement, call.params);
    EXPECT_EQ(result.error, "");
    return decode(command, result.rows);
  }

  Campaign campaign_;
  testing::Session others_{campaign_.database.dsn()};
  std::unique_ptr<Transport> ours_;  // plans each statement anew
};

// field case: F17
TEST(ClaimPlans, AClaimTakesNoMoreThanAskedUnderEveryPlan) {
  EveryPlan plans;
  EXPECT_EQ(plans.most([&] { return plans.claim(ClaimRetries{Token{1, 1}, 2, false}); }), 2u);
  EXPECT_EQ(plans.most([&] { return plans.claim(ClaimBatch{Token{1, 2}}); }), 2u);
  EXPECT_GT(plans.most([&] { return plans.run(in_a_limited_list); }), 2u);
}

}  // namespace
}  // namespace core::pg
