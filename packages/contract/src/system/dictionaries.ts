import type { Names } from './dictionary.endpoints.ts'

/** Codes the product knows, with the labels a new installation starts with. People edit the labels, never the codes. */
export interface ShippedCode {
  readonly code: number
  readonly label: Names
}

const codes = (first: number, ...labels: readonly [en: string, cn: string, tw: string][]): ShippedCode[] =>
  labels.map(([en, cn, tw], at) => ({ code: first + at, label: { en, 'zh-cn': cn, 'zh-tw': tw } }))

export const shippedDictionaries = {
  // behaviour: devices.types
  deviceType: codes(
    1,
    ['Door access', '门禁', '門禁'],
    ['Cash register', '收银机', '收銀機'],
    ['Robot', '机器人', '機器人'],
    ['Video phone', '视频电话', '視訊電話'],
    ['Kiosk', '自助终端', '自助服務機'],
    ['Handheld payment', '手持支付终端', '手持支付終端'],
    ['Medical', '医疗终端', '醫療終端'],
    ['Logistics', '物流终端', '物流終端'],
    ['Traffic', '交通终端', '交通終端'],
    ['ID check', '身份核验', '身分核驗'],
    ['Face recognition', '人脸识别', '人臉辨識'],
    ['Walkie-talkie', '对讲机', '對講機'],
    ['IP camera', '网络摄像机', '網路攝影機'],
    ['Edge box', '边缘盒子', '邊緣運算盒'],
    ['Tablet', '平板', '平板'],
    ['Other', '其他', '其他'],
  ),
  // behaviour: values.code-tables
  schoolCategory: codes(
    1,
    ['Kindergarten', '幼儿园', '幼兒園'],
    ['Primary school', '小学', '國小'],
    ['Junior high school', '初中', '國中'],
    ['Senior high school', '高中', '高中'],
    ['Nine-year school', '九年一贯制学校', '九年一貫制學校'],
    ['Twelve-year school', '十二年一贯制学校', '十二年一貫制學校'],
    ['Vocational school', '职业学校', '職業學校'],
    ['University', '大学', '大學'],
    ['Other', '其他', '其他'],
  ),
  // behaviour: values.code-tables
  pushType: codes(
    1,
    ['Access record', '通行记录', '通行紀錄'],
    ['Attendance', '考勤', '出勤'],
    ['Face or ID recognition', '人脸/身份识别', '人臉/身分辨識'],
    ['Health and temperature', '健康与体温', '健康與體溫'],
    ['Device status', '设备状态', '裝置狀態'],
    ['Alarm', '告警', '告警'],
    ['Call and consumption', '通话与消费', '通話與消費'],
  ),
  // The four providers are named by whoever runs the installation (behaviour: values.code-tables).
  customerType: codes(
    0,
    ['Default', '默认', '預設'],
    ['Provider A', '服务商 A', '服務商 A'],
    ['Provider B', '服务商 B', '服務商 B'],
    ['Provider C', '服务商 C', '服務商 C'],
    ['Provider D', '服务商 D', '服務商 D'],
  ),
  iotType: codes(
    0,
    ['Default', '默认', '預設'],
    ['Provider A', '服务商 A', '服務商 A'],
    ['Provider B', '服务商 B', '服務商 B'],
    ['Provider C', '服务商 C', '服務商 C'],
    ['Provider D', '服务商 D', '服務商 D'],
  ),
  // behaviour: people.types
  userType: codes(
    0,
    ['Administrator', '管理员', '管理員'],
    ['Safety officer', '安全员', '安全員'],
    ['Operator', '操作员', '操作員'],
    ['Auditor', '审计员', '稽核員'],
  ),
  // behaviour: values.code-tables
  appCategory: codes(
    1,
    ['Catering', '餐饮', '餐飲'],
    ['Medical', '医疗', '醫療'],
    ['Finance', '金融', '金融'],
    ['Security', '安防', '安防'],
    ['Customer service', '客服', '客服'],
    ['Test', '测试', '測試'],
    ['Other', '其他', '其他'],
    ['Traffic', '交通', '交通'],
  ),
} as const satisfies Record<string, readonly ShippedCode[]>
