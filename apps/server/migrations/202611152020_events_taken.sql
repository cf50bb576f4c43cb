-- An event of a kind that a room takes, which it did not take: why, and which part of it was wrong. It is kept as any other.
alter table device_event add column untaken jsonb
  constraint device_event_untaken check (untaken is null or coalesce(untaken ->> 'reason' in ('wrongData', 'roomFailed'), false));
