alter table department add constraint department_unused_modules_check check (unused_modules <@ array['robots',
  'selfService', 'videoPhones', 'access', 'activation', 'licences', 'broker', 'testModels']);
