-- hold_look: from here on its snapshot holds back vacuum for everybody.
select count(*) from campaign_targets where campaign_id = ''
