-- Photos of people and the logo become files like those of any row. What they are and how large, their bytes say: the server
-- reads them when it starts and fills in type and size (`describeStored`).
insert into stored_file (stored_as, resource, field, name, type, size, creator_id)
  select photo, 'user', 'photo', 'photo', '', 0, id from sys_user where photo is not null;
alter table sys_user add column photo_file bigint unique references stored_file on delete set null;
update sys_user u set photo_file = f.id from stored_file f where f.stored_as = u.photo;
alter table sys_user drop column photo;
alter table sys_user rename column photo_file to photo;

with logo as (
  insert into stored_file (stored_as, resource, field, name, type, size, creator_id)
    select substr(value #>> '{}', length('/api/v1/logo/') + 1), 'config', 'logo', 'logo', '', 0, updated_by from system_config
    where key = 'logo' and value #>> '{}' like '/api/v1/logo/%' returning id
)
update system_config set value = to_jsonb('/api/v1/logo/' || logo.id) from logo where key = 'logo';
