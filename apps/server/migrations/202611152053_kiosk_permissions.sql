-- The kiosk has permissions of its own; who had the old one may change it, and whoever may change it may look.
update menu set key = 'device:kiosk:edit', perms = 'device:kiosk:edit' where key = 'device:list:kiosk';
