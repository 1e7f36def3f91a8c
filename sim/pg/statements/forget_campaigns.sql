-- forget_campaigns: empties all tables, for all campaigns.
-- Locks:  each table, for itself alone. Twice: the same.
truncate campaign_targets, campaign_batches, campaign_resolutions, campaigns, provider_rate
