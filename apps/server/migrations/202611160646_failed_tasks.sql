-- Home asks for tasks that have failed lately; they are few among all that ever ran.
create index device_task_failed on device_task (end_time) where failed > 0;
