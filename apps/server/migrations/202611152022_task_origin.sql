-- What a task was given for is a pair: the name of a resource and the row of it. Where it was given for nothing but itself,
-- that is the list it stands in, and there is no row.
alter table device_task add column origin_kind text not null default 'deviceTask', add column origin_id bigint,
  add column origin_version integer;
update device_task set origin_kind = 'brokerTask' where kind = 'broker';
update device_task set origin_kind = 'deviceSetting', origin_id = setting_id, origin_version = setting_version
  where kind <> 'broker' and setting_id is not null;
alter table device_task add constraint device_task_origin_kind check (origin_kind ~ '^[a-z][A-Za-z]{0,63}$'),
  add constraint device_task_origin check ((origin_id is null) = (origin_kind in ('deviceTask', 'brokerTask')));
drop index device_task_setting;
alter table device_task drop column kind, drop column setting_id, drop column setting_version;
create index device_task_origin on device_task (origin_kind, origin_id) where origin_id is not null;
