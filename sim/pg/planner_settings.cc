#include "sim/pg/planner_settings.h"

#include <array>

namespace sim::pg {
namespace {

constexpr std::array all = {
    PlannerSettings{"index scans",
                    "-c enable_seqscan=off -c enable_bitmapscan=off"
                    " -c plan_cache_mode=force_generic_plan"},
    PlannerSettings{"index scans, hash joins",
                    "-c enable_seqscan=off -c enable_bitmapscan=off -c enable_nestloop=off"
                    " -c enable_mergejoin=off -c plan_cache_mode=force_generic_plan"},
    PlannerSettings{"index scans, merge joins",
                    "-c enable_seqscan=off -c enable_bitmapscan=off -c enable_nestloop=off"
                    " -c enable_hashjoin=off -c plan_cache_mode=force_generic_plan"},
    PlannerSettings{"the planner's choice", "-c plan_cache_mode=force_generic_plan", false},
    PlannerSettings{"bitmap scans",
                    "-c enable_indexscan=off -c enable_indexonlyscan=off -c enable_seqscan=off"
                    " -c plan_cache_mode=force_generic_plan",
                    false},
    PlannerSettings{"sequential scans",
                    "-c enable_indexscan=off -c enable_indexonlyscan=off"
                    " -c enable_bitmapscan=off -c plan_cache_mode=force_generic_plan",
                    false},
    PlannerSettings{"index scans, a plan for each values",
                    "-c enable_seqscan=off -c enable_bitmapscan=off"
                    " -c plan_cache_mode=force_custom_plan"},
};

}  // namespace

std::span<const PlannerSettings> planner_settings() {
  return all;
}

}  // namespace sim::pg
