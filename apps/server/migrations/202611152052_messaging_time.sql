-- Since when the messaging app is authorised: whoever writes the row, the database keeps the time.
alter table department add column messaging_time timestamptz;
update department set messaging_time = create_time where messaging_authorised;
create function keep_messaging_time() returns trigger language plpgsql as $$
begin
  if not new.messaging_authorised then
    new.messaging_time := null;
  elsif tg_op = 'INSERT' or not old.messaging_authorised then
    new.messaging_time := now();
  end if;
  return new;
end $$;
create trigger department_messaging_time before insert or update of messaging_authorised on department
  for each row execute function keep_messaging_time();
