-- What rooms tell each other after commit: written in the transaction of what happened, numbered in order afterwards.

create table outbox (
  id bigint generated always as identity primary key,
  -- Its turn. A row has none until it is committed, so that nobody reads past one that is still being written.
  turn bigint unique,
  topic text not null,
  -- Whatever happened to one thing is heard in the order in which it happened.
  key text not null,
  data jsonb not null,
  create_time timestamptz not null default now()
);
create index outbox_new on outbox (id) where turn is null;

create table outbox_head (
  singleton boolean primary key default true check (singleton),
  turn bigint not null,
  create_time timestamptz not null default now()
);
insert into outbox_head (turn) values (0);

create table outbox_follower (
  name text primary key,
  -- The last turn it has heard.
  turn bigint not null,
  create_time timestamptz not null default now()
);

-- What a follower could not take, and what came after it for the same thing.
create table outbox_waiting (
  follower text not null references outbox_follower on delete cascade,
  turn bigint not null,
  key text not null,
  tries integer not null default 0,
  next_try timestamptz not null default now(),
  error text,
  create_time timestamptz not null default now(),
  primary key (follower, turn)
);
create index outbox_waiting_key on outbox_waiting (follower, key, turn);
