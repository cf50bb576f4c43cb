-- Where each person has signed in from: whoever comes from there again is not held up by what strangers at the same
-- address get wrong. Forgotten by the housekeeping when it was not used for a while.
create table sign_in_network (
  user_id bigint not null references sys_user on delete cascade,
  network text not null,
  last_at timestamptz not null,
  primary key (user_id, network)
);
create index sign_in_network_age on sign_in_network (last_at);
insert into sign_in_network (user_id, network, last_at)
select id, last_login_ip, last_login from sys_user
where last_login_ip is not null and last_login is not null and position(':' in last_login_ip) = 0;

-- An activation code that can still be used reserves its serial number for the enterprise it was made in: nobody else
-- registers the device or makes a code for it. Behind the fence nobody sees another's codes, so the function looks; it tells
-- no more than that the number is taken. Where no enterprise stands above a department, its school or SI stands for one.
create function enterprise_path(place ltree) returns ltree language sql stable set search_path = public, pg_temp as $$
  select coalesce(
    (select above.path from department above where above.path @> place and above.type in (2, 1, 3)
      order by above.type = 1 desc, nlevel(above.path) desc limit 1), place)
$$;
create function serials_reserved(asked text[], place ltree) returns setof text language sql stable security definer
set search_path = public, pg_temp as $$
  select distinct c.sn from activation_code c join department d on d.id = c.department_id
  where c.sn = any(asked) and c.used_time is null and (c.expire_time is null or c.expire_time > now())
    and not d.path <@ enterprise_path(place)
$$;

-- Which secrets devices were told lately is looked up at each start.
create index device_task_sealed on device_task (id) where sealed_args is not null;

-- The number people read of a task counts within its enterprise, so that it tells nothing of what others do. Tasks that are
-- there keep theirs; where an enterprise has some, it goes on after the last of them.
alter table device_task add column number bigint;
update device_task set number = id;
alter table device_task alter column number set not null;
create table task_number (
  enterprise_id bigint primary key references department on delete cascade,
  last bigint not null
);
insert into task_number (enterprise_id, last)
select subpath(enterprise_path(d.path), -1)::text::bigint, max(t.number)
from device_task t join department d on d.id = t.department_id group by 1;
create function device_task_numbered() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into task_number as n (enterprise_id, last)
  select subpath(enterprise_path(d.path), -1)::text::bigint, 1 from department d where d.id = new.department_id
  on conflict (enterprise_id) do update set last = n.last + 1 returning last into new.number;
  return new;
end
$$;
create trigger device_task_numbered before insert on device_task for each row execute function device_task_numbered();
