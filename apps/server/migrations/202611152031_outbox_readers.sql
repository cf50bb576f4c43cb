-- News of one enterprise wait in the outbox until they are told: who works behind the fence may add, and reads none of them.
revoke select, update, delete, truncate on outbox, outbox_head, outbox_follower, outbox_waiting from campanile_fenced;
revoke insert on outbox_head, outbox_follower, outbox_waiting from campanile_fenced;
