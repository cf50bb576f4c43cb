-- Refused connections are counted: since when, how often, when last.
alter table refused_connection add column first_time timestamptz;
update refused_connection set first_time = time;
alter table refused_connection alter column first_time set not null, alter column first_time set default now();

-- A licence that ends, and an organisation that begins to want licences or comes under one that does, may end connections
-- too. The channel carries the serial number, or nothing where every device may be meant.
create function licence_access_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('device_access', t.sn) from device t where t.id = old.device_id;
  return null;
end $$;
create trigger licence_access_updated after update of revoked, start_date, expiry, device_id on licence
  for each row when (old.kind = 'iot' and (old.revoked <> new.revoked or old.start_date <> new.start_date
    or old.expiry <> new.expiry or old.device_id <> new.device_id))
  execute function licence_access_changed();
create trigger licence_access_deleted after delete on licence
  for each row when (old.kind = 'iot') execute function licence_access_changed();

create function department_access_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('device_access', '');
  return null;
end $$;
create trigger department_access_updated after update of device_key_status, path on department
  for each row when (old.device_key_status <> new.device_key_status or old.path <> new.path)
  execute function department_access_changed();
