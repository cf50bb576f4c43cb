-- Home counts the accounts that are locked each time somebody opens it.
create index sys_user_locked on sys_user (locked_until) where locked_until is not null;
