-- A command that is tried again keeps what became of it before, and who asked for the try under way: a device's timeline
-- tells every one of them.
alter table command add column earlier jsonb, add column attempt_time timestamptz, add column attempt_by bigint;
create index command_retried on command (sn) where attempt > 1;

-- A try to activate, or to connect, with a serial number that nobody has registered yet belongs to whoever made a code for
-- it. One that is unknown to the whole installation belongs to nobody.
alter table refused_connection add column department_id bigint references department on delete set null;
drop policy reached on refused_connection;
create policy reached on refused_connection to campanile_fenced
  using (exists (select from device v where v.sn = refused_connection.sn)
    or department_id in (select fence_departments()));
