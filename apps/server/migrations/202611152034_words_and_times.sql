-- Every column that says in which state something is, or of what kind, holds one of the words there are. What is there is
-- checked by the next file, while everybody goes on.

alter table announcement add constraint announcement_level_check check (level in ('info', 'important')) not valid;
alter table command add constraint command_state_check check (state in ('queued', 'sent', 'acknowledged', 'done', 'failed', 'expired', 'cancelled')) not valid;
alter table department add constraint department_type_check check (type in (0, 1, 2, 3, 4, 5, 6, 7, 8)) not valid;
alter table department_below add constraint department_below_kind_check check (kind in ('person', 'device')) not valid;
alter table device add constraint device_activation_status_check check (activation_status in (0, 1, 2, 3)) not valid;
alter table device_event add constraint device_event_level_check check (level in ('info', 'minor', 'major', 'critical', 'emergency')) not valid;
alter table device_group add constraint device_group_kind_check check (kind in ('manual', 'dynamic')) not valid;
alter table device_state add constraint device_state_iot_status_check check (iot_status in ('online', 'offline', 'flapping')) not valid;
alter table device_state add constraint device_state_robot_state_check check (robot_state in ('working', 'idle', 'charging', 'breakdown')) not valid;
alter table export_file add constraint export_file_state_check check (state in ('inProgress', 'complete', 'abnormal')) not valid;
alter table export_file add constraint export_file_type_check check (type in ('export', 'importResult', 'deviceLog', 'screenshot')) not valid;
alter table import_row add constraint import_row_state_check check (state in ('waiting', 'created', 'failed', 'skipped')) not valid;
alter table import_run add constraint import_run_state_check check (state in ('checked', 'running', 'done')) not valid;
alter table job add constraint job_state_check check (state in ('queued', 'running', 'done', 'failed')) not valid;
alter table licence add constraint licence_kind_check check (kind in ('iot', 'im', 'health')) not valid;
alter table licence add constraint licence_charge_type_check check (charge_type in ('licence', 'duration')) not valid;
alter table login_ticket add constraint login_ticket_kind_check check (kind in ('twoFactor', 'scan', 'scanCode', 'live', 'sms', 'mobile', 'nonce', 'external')) not valid;
alter table menu add constraint menu_type_check check (type in (0, 1, 2)) not valid;
alter table notification add constraint notification_type_check check (type in ('export', 'import', 'task', 'alert', 'announcement')) not valid;
alter table op_log add constraint op_log_result_check check (result in ('success', 'failed')) not valid;
alter table op_log_pending add constraint op_log_pending_result_check check (result in ('success', 'failed')) not valid;
alter table op_log_tally add constraint op_log_tally_result_check check (result in ('success', 'failed')) not valid;
alter table sys_user add constraint sys_user_type_check check (type in (0, 1, 2, 3)) not valid;
alter table sys_user add constraint sys_user_sex_check check (sex in (0, 1, 2)) not valid;
alter table sys_user add constraint sys_user_notify_type_check check (notify_type <@ array[1, 2, 3, 4]::smallint[]) not valid;
alter table telemetry_rollup add constraint telemetry_rollup_step_check check (step in ('hour', 'day')) not valid;

-- When a row was made. Rows from before say when they were asked for it.

alter table device_app add column create_time timestamptz not null default now();
alter table device_setting_value add column create_time timestamptz not null default now();
alter table dictionary_item add column create_time timestamptz not null default now();
alter table login_ticket add column create_time timestamptz not null default now();
alter table menu add column create_time timestamptz not null default now();
alter table own_name add column create_time timestamptz not null default now();
alter table recovery_code add column create_time timestamptz not null default now();
alter table role_department add column create_time timestamptz not null default now();
alter table role_menu add column create_time timestamptz not null default now();
alter table setting_change add column create_time timestamptz not null default now();
alter table sign_in_network add column create_time timestamptz not null default now();
alter table system_config add column create_time timestamptz not null default now();
alter table task_number add column create_time timestamptz not null default now();
alter table test_model add column create_time timestamptz not null default now();
alter table user_role add column create_time timestamptz not null default now();
alter table job rename column created_at to create_time;
