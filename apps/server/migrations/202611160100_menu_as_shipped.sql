-- What the product last shipped of an entry: a later version moves, orders and renames what nobody has touched since.
alter table menu
  add column shipped_parent text,
  add column shipped_order integer,
  add column shipped_name jsonb;
comment on column menu.shipped_parent is 'key of the directory the product put it in; empty at the top, null when that is not known';

update menu m set
  shipped_parent = case when m.parent_id is null then '' else (select above.key from menu above where above.id = m.parent_id) end,
  shipped_order = m.order_num
where m.key is not null;

-- Where an entry of the version before stood, whatever people have made of it since.
update menu m set shipped_parent = was.parent
from (values
  ('organisation', ''), ('device', ''), ('deviceTask', ''), ('activation', ''), ('iot', ''), ('system', ''),
  ('organisationList', 'organisation'), ('organisationTree', 'organisation'),
  ('devices', 'device'), ('deviceBatch', 'device'), ('deviceGroups', 'device'), ('robots', 'device'),
  ('selfService', 'device'), ('videoPhones', 'device'), ('deviceSettings', 'device'), ('brokerTasks', 'device'),
  ('queryLog', 'device'), ('testModels', 'device'), ('iotLicences', 'device'), ('imLicences', 'device'),
  ('healthLicences', 'device'), ('doorRecords', 'device'),
  ('deviceTasks', 'deviceTask'), ('activationCodes', 'activation'), ('files', 'iot'),
  ('users', 'system'), ('roles', 'system'), ('menus', 'system'), ('operationLog', 'system'),
  ('configuration', 'system'), ('announcements', 'system')
) as was (key, parent)
where m.key = was.key;
update menu m set shipped_order = was.place
from (values ('organisation', 20), ('device', 30), ('deviceTask', 40), ('activation', 50), ('iot', 60), ('system', 70)) as was (key, place)
where m.key = was.key;
-- What it was called then, where it is called otherwise now.
update menu m set shipped_name = jsonb_build_object('en', was.en, 'zh-cn', was.cn, 'zh-tw', was.tw)
from (values
  ('organisation', 'Organisation', '机构管理', '組織管理'),
  ('device', 'Device management', '设备管理', '裝置管理'),
  ('devices', 'Devices', '设备列表', '裝置清單'),
  ('deviceTask', 'Device tasks', '设备任务', '裝置工單'),
  ('activation', 'Activation', '激活管理', '啟用管理'),
  ('iot', 'IoT management', '物联网管理', '物聯網管理'),
  ('files', 'File management', '文件管理', '檔案管理'),
  ('system', 'System', '系统管理', '系統管理')
) as was (key, en, cn, tw)
where m.key = was.key;
