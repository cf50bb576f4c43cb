-- Lines of the operation log no longer wait for one another: each is written to one of 64 strands, where it follows the line
-- before it by number and hash, and the strands are twisted into the one chain shortly after.

create table op_log_strand (
  strand smallint primary key,
  -- The last line that was written to it, chained or not.
  number bigint not null default 0,
  seal bytea not null default decode(repeat('00', 32), 'hex'),
  create_time timestamptz not null default '-infinity'
) with (fillfactor = 20);
insert into op_log_strand (strand) select generate_series(0, 63);

create table op_log_pending (
  strand smallint not null,
  strand_number bigint not null,
  create_time timestamptz not null,
  department_id bigint,
  department_name text,
  department_path ltree,
  outside boolean not null default false,
  user_id bigint,
  username text,
  client_ip text,
  host text,
  route text not null,
  module text not null,
  type text not null,
  description text,
  result text not null,
  code integer not null,
  user_agent text,
  before jsonb,
  after jsonb,
  seal bytea not null,
  primary key (strand, strand_number)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

alter table op_log add column strand smallint;
alter table op_log add column strand_number bigint;
-- When the line was written; `create_time` never runs backwards along the chain and may be a moment later.
alter table op_log add column write_time timestamptz;
alter table op_log add column seal bytea;

-- How far each strand has been chained.
alter table op_log_head add column chained bigint[] not null default array_fill(0::bigint, array[64]);

create function op_log_seal(previous bytea, line op_log_pending) returns bytea language sql immutable as $$
  select sha256(previous || sha256(convert_to(jsonb_build_array(
    line.strand, line.strand_number, extract(epoch from line.create_time), line.department_id, line.department_name,
    line.department_path::text, line.outside, line.user_id, line.username, line.client_ip, line.host, line.route, line.module,
    line.type, line.description, line.result, line.code, line.user_agent, line.before, line.after)::text, 'UTF8')))
$$;

-- Runs as the owner: whoever inserts cannot choose the strand, the number, the time or the seal of a line. A connection has a
-- strand to itself as long as there are fewer of them than strands. The strand's row goes back with a transaction that is
-- taken back, so its numbers have no gaps.
create function op_log_write() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  own op_log_strand;
begin
  select * into own from op_log_strand where strand = pg_backend_pid() % 64 for update;
  new.strand := own.strand;
  new.strand_number := own.number + 1;
  new.create_time := greatest(clock_timestamp(), own.create_time);
  new.seal := op_log_seal(own.seal, new);
  update op_log_strand set number = new.strand_number, seal = new.seal, create_time = new.create_time
  where strand = own.strand;
  return new;
end
$$;
create trigger op_log_write before insert on op_log_pending for each row execute function op_log_write();

-- Lines written before hold no strand and keep their hash.
create or replace function op_log_hash(previous bytea, line op_log) returns bytea language sql immutable as $$
  select sha256(previous || convert_to((jsonb_build_array(
    line.id, extract(epoch from line.create_time), line.department_id, line.department_name, line.department_path::text,
    line.user_id, line.username, line.client_ip, line.host, line.route, line.module, line.type, line.description,
    line.result, line.code, line.user_agent, line.before, line.after)
    || case when line.outside then '["outside"]'::jsonb else '[]'::jsonb end
    || case when line.strand is null then '[]'::jsonb
      else jsonb_build_array(line.strand, line.strand_number, extract(epoch from line.write_time), encode(line.seal, 'hex')) end
    )::text, 'UTF8'))
$$;

-- Moves what waits into the log, in the order of time and of each strand, and answers how many lines that were. It decides
-- nothing: a line that does not follow the one before it in its strand is chained as it is, and `verify-audit` names it.
-- The planner knows nothing useful about a table that is empty most of the time, so it is told to go by the key.
create function op_log_catch_up() returns bigint language plpgsql security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  head op_log_head;
  first bigint;
  line op_log;
  lines op_log[];
begin
  if not exists (select from op_log_strand s, op_log_head h where s.number > h.chained[s.strand + 1]) then
    return 0;
  end if;
  select * into head from op_log_head for update;
  first := head.id + 1;
  for line in
    with taken as (
      delete from op_log_pending p using op_log_strand s
      where p.strand = s.strand and p.strand_number > head.chained[s.strand + 1] returning p.*
    )
    select 0, create_time, department_id, department_name, department_path, user_id, username, client_ip, host, route, module,
      type, description, result, code, user_agent, before, after, ''::bytea, outside, strand, strand_number, create_time, seal
    from taken order by create_time, strand, strand_number
  loop
    head.id := head.id + 1;
    -- a clock that is set back does not turn the order around: a span of time stays a span of numbers
    head.create_time := greatest(line.write_time, head.create_time);
    head.chained[line.strand + 1] := line.strand_number;
    line.id := head.id;
    line.create_time := head.create_time;
    line.hash := op_log_hash(head.hash, line);
    head.hash := line.hash;
    lines := lines || line;
  end loop;
  insert into op_log select * from unnest(lines);
  update op_log_head set id = head.id, hash = head.hash, create_time = head.create_time, chained = head.chained;
  insert into op_log_tally select (l.create_time at time zone 'UTC')::date, coalesce(l.department_path, ''), l.module, l.type,
    l.result, count(*) from op_log l where l.id >= first group by 1, 2, 3, 4, 5
  on conflict on constraint op_log_tally_pkey do update set lines = op_log_tally.lines + excluded.lines;
  return head.id - first + 1;
end
$$;

-- The log with its newest lines, for whoever looks into the database by hand.
create function op_log_now() returns setof op_log language plpgsql set search_path = public, pg_temp as $$
begin
  perform op_log_catch_up();
  return query select * from op_log;
end
$$;

-- Nobody writes to the chain but op_log_catch_up.
drop trigger op_log_chain on op_log;
drop function op_log_chain();
drop policy written on op_log;
revoke insert on op_log from campanile_app, campanile_fenced;

alter table op_log_pending enable row level security;
create policy unfenced on op_log_pending to campanile_app using (true);
create policy written on op_log_pending for insert to campanile_fenced with check (true);
revoke update, delete, truncate on op_log_pending from campanile_app;
revoke select, update, delete, truncate on op_log_pending from campanile_fenced;
revoke insert, update, delete, truncate on op_log_strand from campanile_app, campanile_fenced;
