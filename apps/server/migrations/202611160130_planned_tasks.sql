-- A task may begin later: until then it is a plan, and who it is for is looked up when its time has come. Who could not take
-- it when it began is written down with it, as commands that were never queued.
alter table command drop constraint command_state_check;
alter table command add constraint command_state_check
  check (state in ('queued', 'sent', 'acknowledged', 'done', 'failed', 'expired', 'cancelled', 'refused')) not valid;

alter table device_task
  add column refused integer not null default 0,
  -- who is meant and how, in the words it was ordered with; null once it has begun or was called off
  add column plan jsonb,
  add column send_time timestamptz,
  -- the code that kept a plan from beginning
  add column refusal integer;
alter table device_task drop column progress;
alter table device_task add column progress text generated always as (case
  when plan is not null then 'planned'
  when total > succeeded + failed + cancelled then 'inProgress'
  when succeeded = 0 then 'failed'
  when succeeded = total and refused = 0 then 'success'
  else 'partialSuccess' end) stored;

create or replace function count_commands() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    update device_task k set total = k.total + n.total, succeeded = k.succeeded + n.succeeded,
        failed = k.failed + n.failed, cancelled = k.cancelled + n.cancelled, refused = k.refused + n.refused
      from (select task_id, count(*) filter (where state <> 'refused') as total,
          count(*) filter (where state = 'done') as succeeded,
          count(*) filter (where state in ('failed', 'expired')) as failed,
          count(*) filter (where state = 'cancelled') as cancelled,
          count(*) filter (where state = 'refused') as refused
        from arrived group by task_id order by task_id) n
      where k.id = n.task_id;
  else
    perform 1 from device_task where id in (
        select task_id from (select task_id, state, 1 as by from arrived union all select task_id, state, -1 from gone) moved
        where state in ('done', 'failed', 'expired', 'cancelled', 'refused') group by task_id, state having sum(by) <> 0)
      order by id for no key update;
    update device_task k set total = k.total - n.refused, succeeded = k.succeeded + n.succeeded,
        failed = k.failed + n.failed, cancelled = k.cancelled + n.cancelled, refused = k.refused + n.refused
      from (select task_id, sum(by) filter (where state = 'done') as succeeded,
          sum(by) filter (where state in ('failed', 'expired')) as failed,
          sum(by) filter (where state = 'cancelled') as cancelled,
          sum(by) filter (where state = 'refused') as refused
        from (select task_id, state, 1 as by from arrived union all select task_id, state, -1 from gone) moved
        group by task_id) m
      cross join lateral (select m.task_id, coalesce(m.succeeded, 0) as succeeded, coalesce(m.failed, 0) as failed,
        coalesce(m.cancelled, 0) as cancelled, coalesce(m.refused, 0) as refused) n
      where k.id = n.task_id and (n.succeeded <> 0 or n.failed <> 0 or n.cancelled <> 0 or n.refused <> 0);
  end if;
  return null;
end
$$;
