-- Jobs that come again: the next one is begun and the one after it noted in one transaction, so none is begun twice.

-- The clocks an organisation goes by, where they are others than those of the one above it.
alter table department add column time_zone text;

create function zone_of(department_id bigint) returns text language sql stable security definer
set search_path = public, pg_temp as $$
  select coalesce((select above.time_zone from department d join department above on above.path @> d.path
    where d.id = department_id and above.time_zone is not null order by nlevel(above.path) desc limit 1), 'UTC')
$$;

create table job_recurrence (
  kind text not null,
  -- What it is for, where a kind recurs for several things (a plan, an organisation).
  key text not null,
  payload jsonb not null,
  -- By the clocks of the zone: 03:30.
  at_time text not null check (at_time ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  -- ISO days of the week; null is every day.
  weekdays smallint[] check (weekdays <@ '{1,2,3,4,5,6,7}' and weekdays <> '{}'),
  -- One of the two: a zone, or the organisation whose zone it is.
  zone text,
  department_id bigint references department on delete cascade,
  next_run timestamptz not null,
  -- The organisation's clocks are others now: the time is to be worked out anew.
  stale boolean not null default false,
  create_time timestamptz not null default now(),
  primary key (kind, key),
  check (num_nonnulls(zone, department_id) = 1)
);
create index job_recurrence_next on job_recurrence (next_run);
create index job_recurrence_stale on job_recurrence (kind) where stale;
create index job_recurrence_department on job_recurrence (department_id);
select raise_fence('job_recurrence');

create function zone_changed() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update job_recurrence r set stale = true from department d where d.id = r.department_id and d.path <@ new.path;
  return null;
end
$$;
create trigger department_zone_changed after update of time_zone, path on department for each row
  when (old.time_zone is distinct from new.time_zone or old.path is distinct from new.path)
  execute function zone_changed();
