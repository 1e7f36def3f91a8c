-- Without it the planner takes the table for empty, and a row-claim sender sorts the rest of it at each claim.
analyze campaign_targets
