-- What one search looks for exactly: an index of parts finds it too, among all rows that have the same parts.
create index device_imei on device (imei);
create index sys_user_real_name on sys_user (real_name);
-- The start of an address within a few departments.
create index device_state_department_ip on device_state (department_id, public_ip text_pattern_ops);

-- An index of parts knows nothing shorter than three letters, and a name in Chinese often has two. Each of its letters
-- stands apart here and so is a word of its own, which the same kind of index finds.
create function letters_apart(held text) returns text language plpgsql immutable strict parallel safe as $$
begin
  return regexp_replace(held, '([^\x01-\x7f])', ' \1 ', 'g');
end
$$;
-- It fails on nothing and tells nothing of what it is given, so the fence need not come before it (decision 0017).
do $$
begin
  if (select rolsuper from pg_roles where rolname = current_user) then
    alter function letters_apart(text) leakproof;
  end if;
end
$$;
create index sys_user_real_name_letters on sys_user using gin (letters_apart(real_name) gin_trgm_ops);
create index sys_user_username_letters on sys_user using gin (letters_apart(username) gin_trgm_ops);
