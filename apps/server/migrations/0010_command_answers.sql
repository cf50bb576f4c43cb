-- The id a device is given carries a mark only the server can work out. Commands that were open before keep the id their
-- devices know, until they are tried anew.
alter table command add column plain_id boolean not null default false;
update command set plain_id = true where state in ('queued', 'sent', 'acknowledged');

-- How often a device was asked again since it last said something about the command, and when it was asked last.
alter table command add column asks smallint not null default 0, add column asked_time timestamptz;
drop index command_unsent;
create index command_waiting on command (device_id) where state in ('queued', 'sent', 'acknowledged');

-- Arguments and payloads may hold passwords. From now on they rest sealed, with what may be read beside them; what is
-- `unsealed` is of a version before this one, and the next start seals it.
alter table device_task add column unsealed boolean not null default false;
update device_task set unsealed = true where args <> '{}';
create index device_task_unsealed on device_task (id) where unsealed;
alter table test_model add column sealed_payload text, add column unsealed boolean not null default false;
update test_model set unsealed = true where payload is not null;

-- Two batches that end commands of the same tasks take the tasks in one order and wait; before, they could block each other.
create or replace function count_commands() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update device_task k set total = k.total + n.total, succeeded = k.succeeded + n.succeeded,
        failed = k.failed + n.failed, cancelled = k.cancelled + n.cancelled
      from (select task_id, count(*) as total, count(*) filter (where state = 'done') as succeeded,
          count(*) filter (where state in ('failed', 'expired')) as failed,
          count(*) filter (where state = 'cancelled') as cancelled
        from arrived group by task_id order by task_id) n
      where k.id = n.task_id;
  else
    perform 1 from device_task where id in (
        select task_id from (select task_id, state, 1 as by from arrived union all select task_id, state, -1 from gone) moved
        where state in ('done', 'failed', 'expired', 'cancelled') group by task_id, state having sum(by) <> 0)
      order by id for no key update;
    update device_task k set succeeded = k.succeeded + n.succeeded, failed = k.failed + n.failed,
        cancelled = k.cancelled + n.cancelled
      from (select task_id, sum(by) filter (where state = 'done') as succeeded,
          sum(by) filter (where state in ('failed', 'expired')) as failed,
          sum(by) filter (where state = 'cancelled') as cancelled
        from (select task_id, state, 1 as by from arrived union all select task_id, state, -1 from gone) moved
        group by task_id) m
      cross join lateral (select m.task_id, coalesce(m.succeeded, 0) as succeeded, coalesce(m.failed, 0) as failed,
        coalesce(m.cancelled, 0) as cancelled) n
      where k.id = n.task_id and (n.succeeded <> 0 or n.failed <> 0 or n.cancelled <> 0);
  end if;
  return null;
end
$$;
