-- vacuum: as autovacuum would, at once. Not inside a transaction.
vacuum (analyze) campaign_targets
