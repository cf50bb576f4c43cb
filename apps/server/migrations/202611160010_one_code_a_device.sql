-- Of a device the newest code counts alone, as of now also where older ones were left unused.
update activation_code t set expire_time = now()
where t.used_time is null and (t.expire_time is null or t.expire_time > now())
  and exists (select from activation_code later
    where later.sn = t.sn and (later.used_time > t.create_time or later.used_time is null and later.id > t.id));
