-- Records without end: tables that are divided by time, so that what is old goes as a whole and never row by row.

create table record_table (
  name text primary key,
  time_column text not null,
  step text not null check (step in ('hour', 'day', 'month')),
  create_time timestamptz not null default now()
);

-- Spans whose sums are written.
create table record_span (
  table_name text not null references record_table on delete cascade,
  name text not null,
  create_time timestamptz not null default now(),
  primary key (table_name, name)
);

-- For migrations: from now on the table, which is partitioned by range of this column, is kept by `platform/records.ts`.
create function keep_records(kept regclass, time_column text, step text) returns void language plpgsql
set search_path = public, pg_temp as $$
declare
  spare text := kept::text || '_default';
begin
  insert into record_table (name, time_column, step) values (kept::text, time_column, step);
  if to_regclass(spare) is null then
    execute format('create table %I partition of %s default', spare, kept);
  end if;
  -- Behind the fence rows are read through the table itself, where its policies are asked.
  execute format('revoke all on %I from campanile_fenced', spare);
end
$$;
revoke execute on function keep_records(regclass, text, text) from public;

-- The parts of such a table, but for the one that takes what belongs to none.
create function record_spans(kept text) returns table (name text, since timestamptz, until timestamptz)
language sql stable set search_path = public, pg_temp set timezone = 'UTC' as $$
  select c.relname::text, (regexp_match(b.bound, 'FROM \(''([^'']+)''\)'))[1]::timestamptz,
    (regexp_match(b.bound, 'TO \(''([^'']+)''\)'))[1]::timestamptz
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
    cross join lateral (select pg_get_expr(c.relpartbound, c.oid) as bound) b
  where i.inhparent = to_regclass(kept) and b.bound <> 'DEFAULT' order by 3
$$;

-- Partitions are the owner's to make and to drop; the role that serves requests asks for them by these. They give up soon
-- where somebody holds the table for long: it is tried again, and nobody waits behind them meanwhile.
create function record_prepare(kept text, at timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' set lock_timeout = '5s' as $$
declare
  spec record_table;
  first timestamptz;
  last timestamptz;
  part text;
begin
  select * into strict spec from record_table where name = kept;
  perform pg_advisory_xact_lock(hashtext('records'), hashtext(kept));
  first := date_trunc(spec.step, at);
  last := first + ('1 ' || spec.step)::interval;
  if exists (select from record_spans(kept) s where s.until > first and coalesce(s.since, '-infinity') < last) then
    return;
  end if;
  part := kept || '_' || to_char(first, case spec.step when 'hour' then 'YYYYMMDDHH24' when 'day' then 'YYYYMMDD' else 'YYYYMM' end);
  execute format('create table %I (like %I including all excluding identity)', part, kept);
  -- What came before its part was there waits in the default one.
  execute format('lock table %I in access exclusive mode', kept || '_default');
  execute format('with moved as (delete from %I where %I >= %L and %I < %L returning *) insert into %I select * from moved',
    kept || '_default', spec.time_column, first, spec.time_column, last, part);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', kept, part, first, last);
  execute format('revoke all on %I from campanile_fenced', part);
end
$$;

-- A part for now and for what comes next, and one for each span of which rows came before their part was there.
create function record_tidy(kept text, now timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
declare
  spec record_table;
  at timestamptz;
begin
  select * into strict spec from record_table where name = kept;
  perform record_prepare(kept, now);
  perform record_prepare(kept, now + ('1 ' || spec.step)::interval);
  for at in execute format('select distinct date_trunc(%L, %I) from %I limit 1000', spec.step, spec.time_column, kept || '_default')
  loop
    perform record_prepare(kept, at);
  end loop;
end
$$;

create function record_drop(kept text, part text) returns void
language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' set lock_timeout = '5s' as $$
begin
  if not exists (select from record_table where name = kept)
    or not exists (select from record_spans(kept) s where s.name = part) then
    raise exception '% is no part of the records %', part, kept;
  end if;
  execute format('drop table %I', part);
  delete from record_span where table_name = kept and name = part;
end
$$;

revoke execute on function record_prepare(text, timestamptz), record_tidy(text, timestamptz), record_drop(text, text) from public;
grant execute on function record_prepare(text, timestamptz), record_tidy(text, timestamptz), record_drop(text, text) to campanile_app;
revoke insert, update, delete, truncate on record_table from campanile_app;
revoke all on record_table, record_span from campanile_fenced;

select keep_records('telemetry_raw', 'received', 'hour');
select keep_records('telemetry_hour', 'hour', 'day');
drop function telemetry_prepare(timestamptz), telemetry_closed(timestamptz), telemetry_drop(text), telemetry_expired(timestamptz);

-- Presence becomes such a table; what it holds so far is its first part, as it is. Like telemetry it names its device without
-- a reference: a part is attached without holding up whoever changes devices, and what a deleted one did expires with the rest.
alter table presence_log rename to presence_log_past;
alter index presence_log_pkey rename to presence_log_past_pkey;
alter index presence_log_time rename to presence_log_past_time;
alter table presence_log_past drop constraint presence_log_device_id_fkey;
create table presence_log (
  device_id bigint not null,
  time timestamptz not null,
  online boolean not null,
  reason text,
  address text,
  detail text,
  primary key (device_id, time, online)
) partition by range (time);
create index presence_log_time on presence_log using brin (time);
select raise_fence('presence_log');
do $$
declare
  last timestamptz;
begin
  select date_trunc('month', max(time) at time zone 'UTC') at time zone 'UTC' + interval '1 month' into last from presence_log_past;
  if last is null then
    drop table presence_log_past;
  else
    execute format('alter table presence_log attach partition presence_log_past for values from (minvalue) to (%L)', last);
    revoke all on presence_log_past from campanile_fenced;
  end if;
end
$$;
select keep_records('presence_log', 'time', 'month');
