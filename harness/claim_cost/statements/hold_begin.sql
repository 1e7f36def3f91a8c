-- hold_begin: begins what an idle-in-transaction session is.
begin isolation level repeatable read
