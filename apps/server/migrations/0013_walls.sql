-- What a device said belongs to the organisation it stood in when it said it. One that passes to another enterprise begins
-- there under a number of its own; `owned_since` keeps out what it says later of the time before.
alter table device add column owned_since timestamptz;
-- `department_id` is the device's own, kept beside its state so that the fence below need not look for the device.
alter table device_state add column owned_since timestamptz, add column department_id bigint;
update device_state s set department_id = t.department_id from device t where t.id = s.device_id;

create or replace function device_state_begins() returns trigger language plpgsql as $$
begin
  insert into device_state (device_id, owned_since, department_id) select id, owned_since, department_id from arrived
  on conflict (device_id) do update set owned_since = excluded.owned_since, department_id = excluded.department_id;
  -- Whoever tried by this serial number before did so as somebody else's device.
  delete from refused_connection where sn in (select sn from arrived);
  return null;
end
$$;

create function device_state_follows() returns trigger language plpgsql as $$
begin
  update device_state set department_id = new.department_id where device_id = new.id;
  return null;
end
$$;
create trigger device_state_follows after update of department_id on device for each row
  when (old.department_id <> new.department_id) execute function device_state_follows();

-- A report that was held back while the device passed on brings values of its former enterprise.
create function device_state_forgets() returns trigger language plpgsql as $$
declare
  since numeric := extract(epoch from new.owned_since) * 1000;
  known jsonb := new.values;
begin
  new.own := (select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(new.own)
    where not coalesce((value ->> 't')::numeric < since, false));
  new.values := (select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(known)
    where not coalesce((value ->> 't')::numeric < since, false));
  if new.values = known then return new; end if;
  if not new.values ? 'battery' then new.battery := null; end if;
  if not new.values ? 'charging' then new.charging := 'unknown'; end if;
  if not new.values ? 'robotState' then new.robot_state := null; end if;
  if not new.values ? 'locked' then new.locked := old.locked; end if;
  return new;
end
$$;
create trigger device_state_forgets before update of values on device_state for each row
  when (new.owned_since is not null) execute function device_state_forgets();

-- A group holds devices of its own enterprise only.
update device t set group_id = null, group_time = null
from device_group g join department home on home.id = g.department_id, department d
where g.id = t.group_id and d.id = t.department_id and not d.path <@ coalesce((select above.path from department above
  where above.path @> home.path and above.type in (2, 1, 3) order by above.type = 1 desc, nlevel(above.path) desc limit 1),
  d.path);

-- The second fence: requests of people who do not reach the whole installation run as `campanile_fenced`, which sees only
-- rows of departments they reach, whatever a query forgot to ask. Everything else runs as `campanile_app`, as before.
do $$
begin
  if not exists (select from pg_roles where rolname = 'campanile_fenced') then create role campanile_fenced nologin; end if;
  if not pg_has_role('campanile_app', 'campanile_fenced', 'member') then grant campanile_fenced to campanile_app; end if;
end
$$;
grant usage on schema public to campanile_fenced;
grant select, insert, update, delete on all tables in schema public to campanile_fenced;
grant usage, select on all sequences in schema public to campanile_fenced;
revoke update, delete, truncate on op_log from campanile_fenced;
revoke insert, update, delete, truncate on op_log_head, op_log_tally from campanile_fenced;
alter default privileges in schema public grant select, insert, update, delete on tables to campanile_fenced;
alter default privileges in schema public grant usage, select on sequences to campanile_fenced;

-- Whose request it is: set on the connection before its first statement (platform/fence.ts). Unset means nobody, who sees
-- nothing. Policies ask for these in a subquery of its own, which is answered once a query and looked up by hash.
create function fence_paths() returns ltree[] language sql stable parallel safe as $$
  select string_to_array(nullif(current_setting('campanile.reach', true), ''), ',')::ltree[]
$$;
create function fence_person() returns bigint language sql stable parallel safe as $$
  select nullif(current_setting('campanile.person', true), '')::bigint
$$;
-- Departments within reach, and the one the person belongs to: that is where their own exports and tasks are kept.
create function fence_departments() returns setof bigint language sql stable parallel safe security definer
set search_path = public, pg_temp as $$
  select id from department where path <@ any(fence_paths())
  union all select nullif(current_setting('campanile.home', true), '')::bigint
$$;
create function fence_above() returns setof bigint language sql stable parallel safe security definer
set search_path = public, pg_temp as $$
  select distinct step::bigint from (select unnest(fence_paths()) as path
      union all select path from department where id = nullif(current_setting('campanile.home', true), '')::bigint) own,
    unnest(string_to_array(own.path::text, '.')) step
$$;

-- A policy is asked before any condition that might tell of rows it hides, and that keeps searches by part from their
-- indexes. These two tell nothing of what they compare, but only a superuser may say so: where the owner is none, searches
-- of people behind the fence read all the rows they reach (docs/operating.md).
do $$
begin
  if (select rolsuper from pg_roles where rolname = current_user) then
    alter function pg_catalog.texticlike(text, text) leakproof;
    alter function pg_catalog.textlike(text, text) leakproof;
  end if;
end
$$;

-- What counts, tells and completes rows sees beyond the reach of whoever changes them.
alter function add_below(text, bigint[], bigint[]) security definer set search_path = public, pg_temp;
alter function count_below() security definer set search_path = public, pg_temp;
alter function move_below() security definer set search_path = public, pg_temp;
alter function access_changed() security definer set search_path = public, pg_temp;
alter function count_commands() security definer set search_path = public, pg_temp;
alter function device_state_begins() security definer set search_path = public, pg_temp;
alter function device_state_follows() security definer set search_path = public, pg_temp;
revoke execute on function add_below(text, bigint[], bigint[]) from public;

-- A serial number is taken once for all enterprises: whoever registers one is told so, and nothing more.
create function serials_taken(asked text[]) returns setof text language sql stable security definer
set search_path = public, pg_temp as $$
  select sn from device where sn = any(asked)
$$;

-- The different versions there are, walked along their index. Only compared with, never shown.
create function firmware_versions() returns setof text language sql stable security definer
set search_path = public, pg_temp as $$
  with recursive version as (
    (select firmware_version as value from device_state where firmware_version is not null order by 1 limit 1)
    union all
    select (select s.firmware_version from device_state s where s.firmware_version > version.value order by 1 limit 1)
    from version where version.value is not null)
  select value from version where value is not null
$$;

-- Fences a table by its own department, else by its device; `seen` widens what may be read, never what may be changed.
create function raise_fence(fenced regclass, seen text default null, own text default null) returns void
language plpgsql as $$
declare
  has_department boolean := exists (select from pg_attribute where attrelid = fenced and attname = 'department_id'
    and not attisdropped);
  reached text := case when has_department then 'department_id in (select fence_departments())'
    else 'exists (select from device v where v.id = device_id)' end;
begin
  if own is not null then reached := reached || ' or ' || own; end if;
  execute format('alter table %s enable row level security', fenced);
  execute format('create policy unfenced on %s to campanile_app using (true)', fenced);
  execute format('create policy reached on %s to campanile_fenced using (%s)', fenced, reached);
  if seen is not null then
    execute format('create policy seen on %s for select to campanile_fenced using (%s)', fenced, seen);
  end if;
end
$$;
revoke execute on function raise_fence(regclass, text, text) from public;

-- The way up to the root is everybody's who stands below it; what stands beside it is not.
alter table department enable row level security;
create policy unfenced on department to campanile_app using (true);
create policy reached on department to campanile_fenced using (path <@ any ((select fence_paths())::ltree[]));
create policy seen on department for select to campanile_fenced using (id in (select fence_above()));

alter table op_log enable row level security;
create policy unfenced on op_log to campanile_app using (true);
create policy reached on op_log for select to campanile_fenced using (department_path <@ any ((select fence_paths())::ltree[]));
create policy written on op_log for insert to campanile_fenced with check (true);
alter table op_log_tally enable row level security;
create policy unfenced on op_log_tally to campanile_app using (true);
create policy reached on op_log_tally for select to campanile_fenced
  using (department_path <@ any ((select fence_paths())::ltree[]));

-- People and roles above are named by what they made and gave below; oneself is always there.
select raise_fence('sys_user', 'department_id in (select fence_above())', 'id = (select fence_person())');
select raise_fence('sys_role', 'department_id in (select fence_above())
  or exists (select from user_role ur where ur.role_id = id and ur.user_id = (select fence_person()))');
select raise_fence('announcement', 'department_id in (select fence_above())');
select raise_fence('device_group', 'department_id in (select fence_above())');
select raise_fence('export_file', null, 'creator_id = (select fence_person())');
select raise_fence('import_run', null, 'user_id = (select fence_person())');
select raise_fence('saved_view', null, 'user_id = (select fence_person())');
-- A task may come from above; its devices' people see it by their part of it.
select raise_fence('device_task', 'exists (select from command c where c.task_id = device_task.id)');
alter table device_setting_version enable row level security;
create policy unfenced on device_setting_version to campanile_app using (true);
create policy reached on device_setting_version to campanile_fenced
  using (exists (select from device_setting s where s.id = setting_id));
alter table import_row enable row level security;
create policy unfenced on import_row to campanile_app using (true);
create policy reached on import_row to campanile_fenced using (exists (select from import_run r where r.id = run_id));
alter table refused_connection enable row level security;
create policy unfenced on refused_connection to campanile_app using (true);
create policy reached on refused_connection to campanile_fenced
  using (exists (select from device v where v.sn = refused_connection.sn));

-- All others that know a department or a device. What a device says over time is found by its number alone, packed, and
-- written at every report: it is left out.
select raise_fence(c.oid::regclass) from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname = 'public' and c.relkind = 'r' and not c.relrowsecurity and not c.relispartition
  and c.relname not in ('role_department', 'telemetry_rollup')
  and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname in ('department_id', 'device_id')
    and not a.attisdropped);
