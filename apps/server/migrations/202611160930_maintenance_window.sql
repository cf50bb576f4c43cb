-- The hours in which an organisation's devices may be worked on, by its own clocks; without them those of the one above.
alter table department
  add column maintenance_from text,
  add column maintenance_to text,
  -- the days on which they begin, Monday is 1; every day where there are none
  add column maintenance_days integer[],
  add constraint department_maintenance_whole check (num_nulls(maintenance_from, maintenance_to) <> 1
    and (maintenance_days is null or maintenance_from is not null)),
  add constraint department_maintenance_length check (maintenance_from <> maintenance_to),
  add constraint department_maintenance_days check (maintenance_days <@ '{1,2,3,4,5,6,7}' and maintenance_days <> '{}');

-- A task that is given for the window says which one, and is over when it closes.
alter table device_task
  add column maintenance_window text,
  add column maintenance_end timestamptz;
