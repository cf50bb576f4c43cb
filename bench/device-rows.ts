/** So many devices in 1,000 organisations, a hundred of them enterprises; one statement at a time. */
export const deviceRows = (devices: number) =>
  `with top as (select id, path from department where parent_id is null)
  insert into department (id, parent_id, path, name, type)
  select 100 + n, top.id, top.path || (100 + n)::text, 'Enterprise ' || n, 1 from top, generate_series(1, 100) n;
  insert into department (id, parent_id, path, name, type)
  select 1000 + n, parent.id, parent.path || (1000 + n)::text, 'Department ' || n, 0
  from generate_series(1, 900) n join department parent on parent.id = 101 + n % 100;
  insert into device_group (id, name, device_type, department_id) values (1, 'Front desks', 2, 101);
  insert into device (id, sn, department_id, device_type, model, batch_number, imei, imsi, activation_status, group_id, description, create_time)
  select n, upper(substr(md5(n::text), 1, 3)) || '-' || lpad(n::text, 8, '0'), 1001 + n % 900, 1 + n % 16, 'Model ' || n % 40, 'B-' || n % 200,
    (860000000000000 + n)::text, (460000000000000 + n)::text, n % 4, case when n % 1000 = 1 then 1 end,
    case when n % 10 = 0 then 'Shelf ' || n end, now() - n * interval '1 second'
  from generate_series(1, ${devices}) n;
  update device_state s set iot_status = case when n % 10 < 7 then 'online' when n % 10 < 9 then 'offline' else 'flapping' end,
    connected_at = now() - n * interval '2 seconds', public_ip = '10.' || n % 250 || '.3.4', firmware_version = '1.' || n % 30 || '.0',
    system_version = 'Android ' || 8 + n % 6, battery = n % 101, charging = (array['charging', 'notCharging', 'unknown'])[1 + n % 3],
    locked = n % 50 = 0, robot_state = case when n % 16 = 3 then (array['working', 'idle', 'charging', 'breakdown'])[1 + n % 4] end,
    values = jsonb_build_object('cpu', jsonb_build_object('v', n % 100, 't', n), 'battery', jsonb_build_object('v', n % 101, 't', n)), last_seen = now()
  from generate_series(1, ${devices}) n where s.device_id = n;
  vacuum full device_state;
  vacuum analyze`.split(';')
