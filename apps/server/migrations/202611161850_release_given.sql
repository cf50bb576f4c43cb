-- What a release says of its kind alone: the folder of a resource.
alter table release add column given jsonb not null default '{}';
-- Published only: it is written down that the device may have it, and nobody is told. Such a row holds up no release.
alter table release_device add column pushed boolean not null default true;
drop index release_device_open;
create unique index release_device_open on release_device (kind, device_id)
  where pushed and state in ('published', 'downloading', 'upgrading', 'pendingRetry');
-- Lists of the devices of one kind, newest first.
create index release_device_kind on release_device (kind, create_time desc, id desc);
alter table release drop column progress;
alter table release add column progress text generated always as (case
  when state <> 'ended' then 'inProgress'
  when stopped then 'stopped'
  when succeeded = total or install_mode = 'publishOnly' then 'success'
  when succeeded = 0 then 'failed'
  else 'partialSuccess' end) stored;
