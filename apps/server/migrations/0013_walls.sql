-- What a device said belongs to the organisation it stood in when it said it. One that passes to another enterprise begins
-- there under a number of its own; `owned_since` keeps out what it says later of the time before.
alter table device add column owned_since timestamptz;
alter table device_state add column owned_since timestamptz;

create or replace function device_state_begins() returns trigger language plpgsql as $$
begin
  insert into device_state (device_id, owned_since) select id, owned_since from arrived on conflict do nothing;
  -- Whoever tried by this serial number before did so as somebody else's device.
  delete from refused_connection where sn in (select sn from arrived);
  return null;
end
$$;

-- A report that was held back while the device passed on brings values of its former enterprise.
create function device_state_forgets() returns trigger language plpgsql as $$
declare
  since numeric := extract(epoch from new.owned_since) * 1000;
  known jsonb := new.values;
begin
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
