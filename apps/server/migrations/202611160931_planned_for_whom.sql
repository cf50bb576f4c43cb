-- A plan is seen and called off as a whole: by whoever reaches all the departments whose devices it means.
alter table device_task add column planned_in bigint[];
create index device_task_planned on device_task (department_id) where plan is not null;

-- How many tasks wait for their time below a department. Asked for people who do not see all of them.
create function planned_below(root ltree) returns integer language sql stable security definer
set search_path = public, pg_temp as $$
  select count(*)::integer from device_task k join department d on d.id = k.department_id
  where k.plan is not null and d.path <@ root
$$;
