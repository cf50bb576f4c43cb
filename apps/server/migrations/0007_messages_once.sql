-- A batch that is stored again, because nobody knows whether it was the first time, changes nothing.
delete from presence_log a using presence_log b
where a.device_id = b.device_id and a.time = b.time and a.online = b.online and a.ctid > b.ctid;
alter table presence_log add primary key (device_id, time, online);
drop index presence_log_device;

-- By time as well: whether a late point is there already is asked before it is written.
create index telemetry_raw_point on telemetry_raw (device_id, ts);
drop index telemetry_raw_device;

alter table device_state
  -- counts the writes of `values`, which are worked out from what was read before: whoever read an older one reads again
  add column version bigint not null default 0,
  -- how far the device's clock is ahead of the server's; below zero it is behind
  add column clock_offset_ms bigint;

-- The device has no clock: `time` is when the event was received.
alter table device_event add column server_time boolean not null default false;
