-- outside a transaction
-- Reads each table once and keeps nobody from writing to it.

alter table announcement validate constraint announcement_level_check;
alter table command validate constraint command_state_check;
alter table department validate constraint department_type_check;
alter table department_below validate constraint department_below_kind_check;
alter table device validate constraint device_activation_status_check;
alter table device_event validate constraint device_event_level_check;
alter table device_group validate constraint device_group_kind_check;
alter table device_state validate constraint device_state_iot_status_check;
alter table device_state validate constraint device_state_robot_state_check;
alter table export_file validate constraint export_file_state_check;
alter table export_file validate constraint export_file_type_check;
alter table import_row validate constraint import_row_state_check;
alter table import_run validate constraint import_run_state_check;
alter table job validate constraint job_state_check;
alter table licence validate constraint licence_kind_check;
alter table licence validate constraint licence_charge_type_check;
alter table login_ticket validate constraint login_ticket_kind_check;
alter table menu validate constraint menu_type_check;
alter table notification validate constraint notification_type_check;
alter table op_log validate constraint op_log_result_check;
alter table op_log_pending validate constraint op_log_pending_result_check;
alter table op_log_tally validate constraint op_log_tally_result_check;
alter table sys_user validate constraint sys_user_type_check;
alter table sys_user validate constraint sys_user_sex_check;
alter table sys_user validate constraint sys_user_notify_type_check;
alter table telemetry_rollup validate constraint telemetry_rollup_step_check;
