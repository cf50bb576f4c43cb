-- A line costs less to write and to chain. What seals and hashes are computed from stays the same, letter for letter.
--
-- The text of an array is written at once: PostgreSQL puts `json` and `jsonb` into the same words, but builds the latter first.
-- The functions are no longer called immutable, for what makes the text is not: so they become part of the statement that
-- calls them in place of being a query of their own for each line.

create or replace function op_log_hash(previous bytea, line op_log) returns bytea language sql stable as $$
  select sha256(previous || convert_to(
    left(json_build_array(line.id, extract(epoch from line.create_time), line.department_id, line.department_name,
      line.department_path::text, line.user_id, line.username, line.client_ip, line.host, line.route, line.module, line.type,
      line.description, line.result, line.code, line.user_agent, line.before, line.after)::text, -1)
    || case when line.outside then ', "outside"' else '' end
    -- Lines written before there were strands keep their hash.
    || case when line.strand is null then ']' else ', ' || right(json_build_array(line.strand, line.strand_number,
      extract(epoch from line.write_time), encode(line.seal, 'hex'))::text, -1) end, 'UTF8'))
$$;

drop function op_log_seal(bytea, op_log_pending);
create function op_log_seal(previous bytea, strand smallint, number bigint, at timestamptz, line op_log_pending) returns bytea
language sql stable as $$
  select sha256(previous || sha256(convert_to(json_build_array(
    strand, number, extract(epoch from at), line.department_id, line.department_name, line.department_path::text, line.outside,
    line.user_id, line.username, line.client_ip, line.host, line.route, line.module, line.type, line.description, line.result,
    line.code, line.user_agent, line.before, line.after)::text, 'UTF8')))
$$;

-- Runs as the owner: whoever inserts cannot choose the strand, the number, the time or the seal of a line. A connection begins
-- with the strand of its number; where another that has the same one is in the middle of a transaction, it takes the next that
-- is free, so that nobody waits for somebody else's change. The row of the strand is what keeps its lines in order and goes
-- back with a transaction that is taken back, so its numbers have no gaps; the lock beside it only says that it is in use.
create or replace function op_log_write() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  strands constant integer := 64;
  tried integer := 0;
  own integer := pg_backend_pid() % strands;
begin
  while tried < strands and not pg_try_advisory_xact_lock('op_log_strand'::regclass::oid::integer, own) loop
    tried := tried + 1;
    own := (own + 1) % strands;
  end loop;
  new.create_time := clock_timestamp();
  update op_log_strand s set number = s.number + 1, create_time = greatest(new.create_time, s.create_time),
    seal = op_log_seal(s.seal, s.strand, s.number + 1, greatest(new.create_time, s.create_time), new)
  where s.strand = own
  returning s.strand, s.number, s.create_time, s.seal into new.strand, new.strand_number, new.create_time, new.seal;
  return new;
end
$$;
