-- Which modules an organisation says it does not use; one that says nothing goes by the nearest above that does.
alter table department
  add column own_modules boolean not null default false,
  add column unused_modules text[];
