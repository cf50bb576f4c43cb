-- Jobs that come again: the next one is begun and the one after it noted in one transaction, so none is begun twice.

create table job_recurrence (
  kind text not null,
  -- What it is for, where a kind recurs for several things (an organisation, a plan).
  key text not null,
  payload jsonb not null,
  -- By the clock of the zone: 03:30.
  at_time text not null check (at_time ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  -- ISO days of the week; null is every day.
  weekdays smallint[] check (weekdays <@ '{1,2,3,4,5,6,7}' and weekdays <> '{}'),
  zone text not null,
  next_run timestamptz not null,
  create_time timestamptz not null default now(),
  primary key (kind, key)
);
create index job_recurrence_next on job_recurrence (next_run);
