-- Statistics count the devices of each release by their state, within the departments somebody reaches: the index alone
-- answers that.
create index release_device_counted on release_device (release_id, department_id, state);
create index release_kind on release (kind, create_time desc);
