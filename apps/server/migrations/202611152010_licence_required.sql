-- Whether devices need a licence to connect is a switch of its own. Until now it was the one for device keys, so whoever had
-- that on keeps both.
alter table department add column licence_required boolean not null default false;
update department set licence_required = true where device_key_status;

-- The gateway asks about everybody again when an organisation begins to want licences, or comes under one that does.
drop trigger department_access_updated on department;
create trigger department_access_updated after update of licence_required, path on department
  for each row when (old.licence_required <> new.licence_required or old.path <> new.path)
  execute function department_access_changed();

-- A licence that is switched off ends connections like one that is revoked.
drop trigger licence_access_updated on licence;
create trigger licence_access_updated after update of revoked, enabled, start_date, expiry, device_id on licence
  for each row when (old.kind = 'iot' and (old.revoked <> new.revoked or old.enabled <> new.enabled
    or old.start_date <> new.start_date or old.expiry <> new.expiry or old.device_id <> new.device_id))
  execute function licence_access_changed();
