// What is sent under a key stays what it was, or the provider would refuse it, or send it twice.
#include <gtest/gtest.h>

#include "core/pg/testing/campaign.h"

namespace core::pg {
namespace {

using testing::Campaign;

// The error that an update ends with; "" if it is done.
std::string refused(Campaign& campaign, const std::string& sql) {
  try {
    campaign.sql().run(sql);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

// field case: F29
TEST(FrozenPayload, AnOpenMembersAddressIsFrozenOncePlanned) {
  Campaign campaign;
  campaign.database.add_members(1, 5);
  const auto readdress = [&](int member) {
    return refused(campaign,
                   "update campaign_targets set email = 'new' || email"
                   " where member_id = " +
                       std::to_string(member));
  };
  const auto store = campaign.database.store(campaign.policy);
  EXPECT_EQ(readdress(1), "");
  store->execute(Plan{0});
  EXPECT_NE(readdress(1).find("member 1 keeps its address"), std::string::npos);
  campaign.sql().run(
      "update campaign_targets set state = 'sent', sent_at = now()"
      " where member_id = 2");
  campaign.sql().run("update campaign_targets set state = 'failed' where member_id = 3");
  campaign.sql().run(
      "update campaign_targets set state = 'unknown', maybe_sent_since = now()"
      " where member_id = 4");
  EXPECT_EQ(readdress(2), "");
  EXPECT_EQ(readdress(3), "");
  EXPECT_NE(readdress(4).find("member 4 keeps its address"), std::string::npos);
  EXPECT_EQ(campaign.count("email like 'new%'"), 3);
}

// field case: F29
TEST(FrozenPayload, TheTemplateIsFrozenOncePlanned) {
  Campaign campaign;
  campaign.database.add_members(1, 5);
  const auto store = campaign.database.store(campaign.policy);
  const std::string change = "update campaigns set template = template || '!'";
  EXPECT_EQ(refused(campaign, change), "");
  store->execute(Plan{0});
  EXPECT_NE(refused(campaign, change).find("keeps its template spring!"), std::string::npos);
  EXPECT_EQ(refused(campaign, "update campaigns set paused = true"), "");
}

}  // namespace
}  // namespace core::pg
