-- An administrator asked for it; the account's owner sets it up at the next sign-in.
alter table sys_user add column two_factor_wanted boolean not null default false;
