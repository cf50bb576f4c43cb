import type { Screen } from '../../shell/screens.ts'

export const standsOn = ['device', 'file', 'spoken']

export const screens: Screen[] = [
  {
    path: '/deviceTask/list',
    load: () => import('./task/DeviceTasksScreen.tsx'),
    titleKey: 'deviceTask.title',
    perm: 'deviceTask:list:list',
  },
  {
    path: '/deviceTask/detail/:id',
    load: () => import('./task/TaskDetailScreen.tsx'),
    titleKey: 'taskDevice.title',
    parentPath: '/deviceTask/list',
    perm: 'deviceTask:list:detail',
  },
  {
    path: '/device/batch',
    load: () => import('./batch/BatchScreen.tsx'),
    titleKey: 'menu.entry.deviceBatch',
    perm: 'device:batch:list',
  },
  {
    path: '/device/settings',
    load: () => import('./setting/SettingsScreen.tsx'),
    titleKey: 'deviceSetting.title',
    perm: 'device:settings:list',
  },
  {
    path: '/device/settings/detail/:id',
    load: () => import('./setting/SettingDetailScreen.tsx'),
    titleKey: 'deviceSetting.detail.title',
    parentPath: '/device/settings',
    perm: 'device:settings:detail',
  },
  {
    path: '/device/settings/history/:id',
    load: () => import('./setting/SettingHistoryScreen.tsx'),
    titleKey: 'settingHistory.title',
    parentPath: '/device/settings',
    perm: 'device:settings:history',
  },
  {
    path: '/device/broker/task',
    load: () => import('./broker/BrokerTasksScreen.tsx'),
    titleKey: 'brokerTask.title',
    perm: 'broker:task:list',
  },
  {
    path: '/device/broker/task/new',
    load: () => import('./broker/NewBrokerTaskScreen.tsx'),
    titleKey: 'brokerTask.action.create',
    parentPath: '/device/broker/task',
    perm: 'broker:task:add',
  },
  {
    path: '/device/broker/task/success/:id',
    load: () => import('./broker/BrokerSuccessScreen.tsx'),
    titleKey: 'brokerSuccess.title',
    parentPath: '/device/broker/task',
    perm: 'broker:task:list',
  },
  {
    path: '/device/broker/task/fail/:id',
    load: () => import('./broker/BrokerFailureScreen.tsx'),
    titleKey: 'brokerFailure.title',
    parentPath: '/device/broker/task',
    perm: 'broker:task:list',
  },
  {
    path: '/device/queryLog',
    load: () => import('./QueryLogScreen.tsx'),
    titleKey: 'queryLog.title',
    perm: 'device:queryLog:list',
  },
  {
    path: '/device/testModel',
    load: () => import('./TestModelScreen.tsx'),
    titleKey: 'testModel.title',
    perm: 'device:testModel:list',
  },
]
