-- Counted when a release of it moves, as its other figures are: whoever sees it in the store sees nobody's releases.
alter table app_package add column success_rate smallint check (success_rate between 0 and 100);

-- Who may read an app, its own or one that is offered, may keep its file: so it is taken over from the store.
create policy offered on content for select to campanile_fenced
  using (exists (select from app_package a where a.content_id = content.id));
