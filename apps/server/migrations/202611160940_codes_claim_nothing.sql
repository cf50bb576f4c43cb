-- An activation code claims its serial number no longer: whoever had the right to make codes could keep others from their
-- own numbers. A device joins where the code was made that it shows, so the same code may stand in two enterprises.
drop function serials_reserved(text[], ltree);
drop index activation_code_hash;
create unique index activation_code_hash on activation_code (code_hash, sn, department_id);

-- Behind the fence the enterprise above a department cannot be seen; the function tells its path and no more.
alter function enterprise_path(ltree) security definer;

-- How many codes that can still be used stand in an enterprise, those out of the caller's sight included.
create function unused_codes(place ltree) returns bigint language sql stable security definer
set search_path = public, pg_temp as $$
  select count(*) from activation_code c join department d on d.id = c.department_id
  where d.path <@ enterprise_path(place) and c.used_time is null and (c.expire_time is null or c.expire_time > now())
$$;
create index activation_code_unused on activation_code (department_id, expire_time) where used_time is null;
