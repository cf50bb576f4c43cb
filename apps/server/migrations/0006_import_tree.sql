-- A row may stand under another row of the same file: which one, and what became of that one.
alter table import_row add column above integer, add column created_id bigint;
