/** What stands in the place of a secret that is there and not shown. */
export const secretMask = '***'

/**
 * The names under which a secret travels inside free fields: payloads, arguments, what stood before and after.
 * Names are compared without case and separators, so `wifi_password` and `WiFiPassword` are one.
 */
const wholeNames = new Set([
  ...['key', 'pin', 'psk', 'pwd', 'otp', 'totp', 'pass', 'credential', 'credentials', 'authorization', 'cookie'],
  ...['sessionid', 'qrdata', 'totpuri', 'otpauth', 'apikey', 'accesskey', 'secretkey', 'privatekey', 'privatekeypem'],
  ...['signkey', 'signingkey', 'sealkey', 'sharedkey', 'presharedkey', 'encryptionkey', 'masterkey', 'wifikey'],
  ...[
    'wpakey',
    'pw',
    'mdp',
    'clave',
    'networkkey',
    'hmackey',
    'keycontent',
    'keyvalue',
    'trustedissuerkey',
    'smswebhook',
  ],
  ...['activationcode', 'activationcodes', 'switchcode', 'joincode', 'unlockcode', 'recoverycode', 'recoverycodes'],
])
/** Any name that ends so, with or without a number: `kioskExitPassword`, `client_secret`, `PassWord_1`. */
const endings =
  /(password|passwords|passwd|passphrase|passcode|secret|secrets|token|tokens|pincode|密码|密碼|口令|密钥|密鑰|金鑰|私钥|私鑰|令牌|權杖|激活码|啟用碼|motdepasse|passwort|kennwort|wachtwoord|contrasena|contraseña|senha|пароль|パスワード|비밀번호)\d*$/u
/** Short words count only as a word of their own: `exitPin` is one, `spin` is not. */
const lastWords = /(^|[^A-Za-z0-9]|[a-z0-9](?=P))(pin|Pin|PIN|psk|Psk|PSK|pwd|Pwd|PWD)[_-]?\d*$/
/** Names that are secrets as text only: as a number a `code` is an error's or a dictionary's. */
const textNames = new Set(['code', 'random'])

const separators = /[^\p{L}\p{M}\p{N}]/gu

/** Whether what stands under this name is a secret. A yes or no never is: it says that there is one. */
export const isSecretName = (name: string, value?: unknown): boolean => {
  if (value === null || typeof value === 'boolean') return false
  const plain = name.normalize('NFKC').replace(separators, '').toLowerCase()
  if (textNames.has(plain)) return typeof value === 'string'
  return wholeNames.has(plain) || endings.test(plain) || lastWords.test(name)
}

const ambiguousNames = new Set(['key', 'code', 'random'])

/** The same in the words of a device, where a `key` is one that was pressed and a `code` tells what went wrong. */
export const isSecretNameOfDevice = (name: string, value?: unknown): boolean =>
  !ambiguousNames.has(name.toLowerCase()) && isSecretName(name, value)
