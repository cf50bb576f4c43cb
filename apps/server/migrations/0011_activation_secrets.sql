-- Codes rest sealed; the hash finds them. One in plain is of an older version or of the demonstration: the start seals it.
alter table activation_code alter column activation_code drop not null;
alter table activation_code add column code_hash bytea, add column code_sealed text;
alter table activation_code add constraint activation_code_stored
  check (activation_code is not null or (code_hash is not null and code_sealed is not null));
create unique index activation_code_hash on activation_code (code_hash, sn);
-- What the device that used it must show to be answered again, and what the same answer is made of.
alter table activation_code add column key_hash bytea, add column answer_salt bytea;
