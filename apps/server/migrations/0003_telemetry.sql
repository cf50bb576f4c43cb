-- What devices did and said over time. Telemetry names its device without a reference: a check of each point would cost more
-- than the points of a deleted device until they expire.

create table presence_log (
  device_id bigint not null references device on delete cascade,
  time timestamptz not null,
  online boolean not null,
  -- why it went; `flapping` when it comes and goes too often to write each one down
  reason text,
  address text,
  -- the device's own parting words
  detail text
);
create index presence_log_device on presence_log (device_id, time desc);
create index presence_log_time on presence_log using brin (time);

create table device_event (
  device_id bigint not null references device on delete cascade,
  -- the device's own id: the same event told twice is one
  event_id text not null,
  time timestamptz not null,
  type text not null,
  level text not null,
  text text,
  data jsonb,
  received timestamptz not null,
  primary key (device_id, event_id)
);
create index device_event_time on device_event (device_id, time desc);
create index device_event_received on device_event using brin (received);

-- Who was refused, where from and why. One row for each, counted; the oldest go when there are too many.
create table refused_connection (
  sn text not null default '',
  address text not null,
  reason text not null,
  count bigint not null default 1,
  time timestamptz not null,
  primary key (sn, address, reason)
);
create index refused_connection_time on refused_connection (time desc);

-- As it comes in, appended and never changed; packed and dropped once its hour is over. See domains/device/telemetry.
create table telemetry_raw (
  device_id bigint not null,
  ts bigint not null,
  received timestamptz not null,
  point bytea not null
) partition by range (received);
create index telemetry_raw_device on telemetry_raw (device_id);
create table telemetry_raw_default partition of telemetry_raw default;

-- One row a device and hour: every point of it, packed.
create table telemetry_hour (
  device_id bigint not null,
  hour timestamptz not null,
  points bytea not null,
  primary key (device_id, hour)
) partition by range (hour);
create table telemetry_hour_default partition of telemetry_hour default;

-- Count, sum, lowest and highest by hour (one row a day) and by day (one row a month).
create table telemetry_rollup (
  device_id bigint not null,
  step text not null, -- hour | day
  period date not null,
  slots bytea not null,
  primary key (device_id, step, period)
);

-- Partitions are the owner's to make and to drop; the role that serves requests asks for them by these.
create function telemetry_prepare(at timestamptz) returns void
language plpgsql security definer set search_path = public set timezone = 'UTC' as $$
declare
  hour timestamptz := date_trunc('hour', at);
  day timestamptz := date_trunc('day', at);
  raw text := 'telemetry_raw_' || to_char(hour, 'YYYYMMDDHH24');
  packed text := 'telemetry_hour_' || to_char(day, 'YYYYMMDD');
begin
  perform pg_advisory_xact_lock(hashtext('telemetry_prepare'));
  if to_regclass(raw) is null then
    execute format('create table %I partition of telemetry_raw for values from (%L) to (%L)', raw, hour, hour + interval '1 hour');
  end if;
  if to_regclass(packed) is null then
    execute format('create table %I partition of telemetry_hour for values from (%L) to (%L)', packed, day, day + interval '1 day');
  end if;
exception when check_violation then
  -- The default partition already holds rows of that time: it keeps them.
  null;
end $$;

/* Names of raw partitions whose hour is over at the given time. */
create function telemetry_closed(before timestamptz) returns setof text
language sql stable set search_path = public set timezone = 'UTC' as $$
  select c.relname::text from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'telemetry_raw'::regclass and c.relname ~ '^telemetry_raw_\d{10}$'
    and c.relname < 'telemetry_raw_' || to_char(date_trunc('hour', before), 'YYYYMMDDHH24')
  order by 1
$$;

create function telemetry_drop(name text) returns void
language plpgsql security definer set search_path = public as $$
begin
  if name !~ '^telemetry_(raw_\d{10}|hour_\d{8})$' then raise exception 'not a telemetry partition: %', name; end if;
  execute format('drop table if exists %I', name);
end $$;

/* Days whose packed hours are older than the given time. */
create function telemetry_expired(before timestamptz) returns setof text
language sql stable set search_path = public set timezone = 'UTC' as $$
  select c.relname::text from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'telemetry_hour'::regclass and c.relname ~ '^telemetry_hour_\d{8}$'
    and c.relname < 'telemetry_hour_' || to_char(before, 'YYYYMMDD')
$$;

revoke execute on function telemetry_prepare(timestamptz), telemetry_drop(text) from public;
grant execute on function telemetry_prepare(timestamptz), telemetry_drop(text) to campanile_app;

-- Open connections of devices whose credential or organisation changes are closed; the channel carries their serial numbers.
create function device_access_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('device_access', old.sn);
  return null;
end $$;
create trigger device_access_updated after update of credential_hash, credential_version, department_id on device
  for each row when (old.credential_hash is distinct from new.credential_hash
    or old.credential_version <> new.credential_version or old.department_id <> new.department_id)
  execute function device_access_changed();
create trigger device_access_deleted after delete on device for each row execute function device_access_changed();
