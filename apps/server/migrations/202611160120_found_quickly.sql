-- What one search looks for: addresses by their start, tasks by the number people read, telephones and serial numbers of codes by part.
create index device_state_ip on device_state (public_ip text_pattern_ops);
create index device_task_number on device_task (number);
create index sys_user_mobile_search on sys_user using gin (mobile gin_trgm_ops);
create index activation_code_sn_search on activation_code using gin (sn gin_trgm_ops);
