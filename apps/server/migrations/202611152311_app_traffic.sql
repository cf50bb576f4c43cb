-- What the apps of devices have sent and received.

-- How far a counter of an app stood when it was last read. One that began anew has a `since` of its own, so that what comes
-- late of an older one is not taken for the newer.
create table app_counter (
  device_id bigint not null references device on delete cascade,
  package text not null,
  since timestamptz not null,
  mobile_up bigint not null default 0,
  mobile_down bigint not null default 0,
  wifi_up bigint not null default 0,
  wifi_down bigint not null default 0,
  up bigint not null default 0,
  down bigint not null default 0,
  -- by the device's clock
  read_time timestamptz not null,
  update_time timestamptz not null default now(),
  create_time timestamptz not null default now(),
  primary key (device_id, package, since)
);
select raise_fence('app_counter');

-- By the hour, where the device stood then. Like presence it names its device without a reference.
create table app_traffic (
  time timestamptz not null,
  device_id bigint not null,
  department_id bigint not null,
  package text not null,
  mobile_up bigint not null default 0,
  mobile_down bigint not null default 0,
  wifi_up bigint not null default 0,
  wifi_down bigint not null default 0,
  up bigint not null default 0,
  down bigint not null default 0,
  create_time timestamptz not null default now(),
  primary key (device_id, package, department_id, time)
) partition by range (time);
create index app_traffic_department on app_traffic (department_id, time);
-- Whoever reaches a device sees its past, also of the other departments of its enterprise.
select raise_fence('app_traffic', 'exists (select from device v where v.id = device_id)');
select keep_records('app_traffic', 'time', 'month');
