-- analyze: what autovacuum would do soon after the load.
analyze campaign_targets
