-- What a device sent in answer to a command: found with the command until the file expires.
alter table command add column file_id bigint references export_file on delete set null;
create index command_file on command (file_id) where file_id is not null;
