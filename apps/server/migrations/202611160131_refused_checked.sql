-- outside a transaction
-- Apart from the change before, so that nobody waits for it.
alter table command validate constraint command_state_check;
