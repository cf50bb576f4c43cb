-- With which quality of service a task's message goes to devices: 0 or 1, as the person who gave it chose.
alter table device_task add column qos smallint not null default 1,
  add constraint device_task_qos check (qos in (0, 1));
