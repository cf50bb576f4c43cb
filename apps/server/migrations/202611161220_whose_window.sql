-- A task that is given for the maintenance window says on which days that begins and whose it is.
alter table device_task
  add column maintenance_days integer[],
  add column maintenance_of bigint[];
-- What was planned before says the days on which its window is open as they are now.
update device_task k set maintenance_days = w.maintenance_days, maintenance_of = array[w.id]
from department d cross join lateral (select above.* from department above
  where above.path @> d.path and above.maintenance_from is not null order by nlevel(above.path) desc limit 1) w
where k.plan is not null and k.maintenance_window is not null and d.id = k.planned_in[1];
