#include "reports/json.h"

#include <gtest/gtest.h>

#include "reports/sample_run.h"

namespace reports {
namespace {

TEST(Json, IsThisDocument) {
  RunResult run = sample_run();
  run.senders.resize(1);
  run.verdict = Verdict::passed;
  EXPECT_EQ(to_json(run), R"({
  "scenario": "kill9-at-6000",
  "title": "kill -9",
  "run": "20260401T170000Z-3fa9",
  "verdict": "passed",
  "seed": 18446744073709551615,
  "tier": "process",
  "postgres": {
    "version": "17.10",
    "source": "embedded"
  },
  "senders": [
    {
      "sender": "reference",
      "verdict": "passed",
      "members": 10000,
      "accepted": 9990,
      "duplicates": 0,
      "extra_deliveries": 0,
      "lost": 0,
      "failed": 10,
      "unknown": 0,
      "opted_out": 0,
      "late_opt_outs": 0,
      "opt_outs_in_grace": 0,
      "stale_writes": 0,
      "repeats": 48,
      "requests": 10448,
      "peak_rss_bytes": 18874368,
      "exit_codes": [
        137,
        0
      ],
      "wall_s": 3.142,
      "skipped_s": 30.0,
      "db_us_per_member": 5.51,
      "max_in_any_second": 9007199254740993,
      "steady_per_s": 492,
      "db_source": "client wall time",
      "checks": [
        {
          "claim": "duplicates = 0",
          "seen": "0",
          "verdict": "passed"
        },
        {
          "claim": "repeats <= 200",
          "seen": "48",
          "verdict": "passed"
        }
      ],
      "notes": []
    }
  ]
}
)");
}

TEST(Json, WhatWasNotMeasuredIsNull) {
  EXPECT_TRUE(to_json(sample_run()).contains("\"db_us_per_member\": null"));
}

TEST(Json, TheSpreadIsThereWhereItIsKnown) {
  RunResult run = sample_run();
  EXPECT_FALSE(to_json(run).contains("peak_rss_spread_bytes"));
  run.senders[1].sender = "reference";
  EXPECT_TRUE(to_json(run).contains("\"peak_rss_spread_bytes\": 18874368"));
}

TEST(Json, AnyBytesMakeAValidDocument) {
  RunResult run = sample_run();
  run.senders[0].sender = "sh -c \"\xff\n\"";
  EXPECT_TRUE(to_json(run).contains("\"sender\": \"sh -c \\\"\xEF\xBF\xBD\\n\\\"\""));
}

}  // namespace
}  // namespace reports
