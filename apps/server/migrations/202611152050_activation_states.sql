-- What has a credential stands in an organisation; until now only the demonstration said so.
update device set activation_status = 2 where credential_hash is not null and activation_status <> 2;
update device set activation_status = 1 where credential_hash is null and activation_status in (2, 3);
