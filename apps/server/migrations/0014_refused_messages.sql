-- Of a message that was refused: its kind, which part of it was wrong and how. Never the value.
alter table refused_connection add column detail jsonb;
