-- Guesses at a second factor are counted on the account, whichever ticket they came with --------------------------------

alter table sys_user
  -- wrong second-step codes since the last completed sign-in: they lengthen the lock, and the person is told of them
  add column wrong_codes smallint not null default 0,
  add column wrong_code_at timestamptz,
  add column wrong_code_ip text,
  -- how often a locked account was asked whether the password is right; the owner hears how long the lock lasts
  add column checks_while_locked smallint not null default 0,
  -- the number a code sent to it has confirmed; it signs in while it is also the number of the person
  add column confirmed_mobile text;

-- Numbers that one person has go on signing them in. A number of several people signs in none of them until one of them
-- confirms it: nobody can say whose it is.
update sys_user set confirmed_mobile = mobile
where mobile in (select mobile from sys_user where mobile is not null group by mobile having count(*) = 1);
create unique index sys_user_signs_in_by on sys_user (mobile) where mobile = confirmed_mobile;

-- Sessions and tickets end with what they came from ---------------------------------------------------------------------

-- let in by scanning with another session, which is its origin: it ends alone, but never later than that one
alter table session add column scanned boolean not null default false;
create index login_ticket_by_user on login_ticket (user_id) where user_id is not null;
create index login_ticket_by_session on login_ticket (session_hash) where session_hash is not null;

-- Independent sessions that scanning has made so far would outlive the ones they came from, and nothing tells which they
-- are; tickets handed out before know nothing of the session they belong to.
update session set ended_at = now() where ended_at is null;
delete from login_ticket where kind not in ('external', 'nonce');

-- What somebody from above does inside an organisation stands in its log --------------------------------------------------

-- the person belongs to another organisation than the line
alter table op_log add column outside boolean not null default false;

-- Lines written before hold no such mark and keep their hash.
create or replace function op_log_hash(previous bytea, line op_log) returns bytea language sql immutable as $$
  select sha256(previous || convert_to((jsonb_build_array(
    line.id, extract(epoch from line.create_time), line.department_id, line.department_name, line.department_path::text,
    line.user_id, line.username, line.client_ip, line.host, line.route, line.module, line.type, line.description,
    line.result, line.code, line.user_agent, line.before, line.after)
    || case when line.outside then '["outside"]'::jsonb else '[]'::jsonb end)::text, 'UTF8'))
$$;
