import { describe, expect, it } from 'vitest'
import { isPublicAddress } from './outbound-url.ts'

const insideHosts = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '127.255.255.254',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0x7F.0.0.1',
  '0177.0.0.1',
  '0177.1',
  '017700000001',
  '00000177.0.0.1',
  '127.000.000.001',
  '１２７.０.０.１',
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
  '127．0．0．1',
  '127｡0｡0｡1',
  '0',
  '0.0.0.0',
  '0x0',
  '10.0.0.1',
  '10.1',
  '167772161',
  '0xa.1',
  '012.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '192.168.257',
  '0xc0a80001',
  '169.254.169.254',
  '2852039166',
  '0xa9fea9fe',
  '169.254.43518',
  '100.64.0.1',
  '100.127.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '198.18.0.1',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::FFFF:10.0.0.1]',
  '[0:0:0:0:0:ffff:192.168.0.1]',
  '[::127.0.0.1]',
  '[::a00:1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b::a00:1]',
  '[64:ff9b:1::1]',
  '[fc00::1]',
  '[fd00::]',
  '[fd12:3456::1]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[2002:7f00:1::]',
  '[2002:a00:1::]',
  '[2001:0:7f00:1::]',
  '[2001:db8::1]',
  '[100::1]',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'a.localhost',
  'localhost.localdomain',
  'printer',
  'printer.',
  'printer.local',
  'metadata.google.internal',
  'nas.lan',
  'router.home.arpa',
  'ｌｏｃａｌｈｏｓｔ',
]

const insideTexts = [
  'http://user@example.com/',
  'http://user:secret@example.com/',
  'http://example.com@127.0.0.1/',
  'http:\\\\127.0.0.1/',
  'http://exam\tple.com/',
  ' http://example.com/',
  'http://example.com/\u0000',
  'file:///etc/passwd',
  'gopher://example.com/',
  'javascript:alert(1)',
  'data:text/html,x',
  'ws://example.com/',
  '//example.com/',
  'example.com',
  '',
  'http://',
  'http://[::1',
]

describe('an address the server may call', () => {
  it.each(insideHosts)('is not %s, whatever the scheme and port', (host) => {
    for (const scheme of ['http', 'https', 'ftp']) {
      expect(isPublicAddress(`${scheme}://${host}/`)).toBe(false)
      expect(isPublicAddress(`${scheme}://${host}:8080/push?x=1`)).toBe(false)
    }
  })

  it.each(insideTexts)('is not %j', (text) => {
    expect(isPublicAddress(text)).toBe(false)
  })

  it.each([
    'http://example.com',
    'https://push.school.example.com:8443/records?x=1#y',
    'ftp://files.example.org/',
    'http://8.8.8.8/',
    'http://172.32.0.1/',
    'http://[2606:4700::1111]/',
    'https://xn--fsqu00a.xn--0zwm56d/',
    'https://例子.测试/',
    'http://local.example.com/',
  ])('may be %s', (text) => {
    expect(isPublicAddress(text)).toBe(true)
  })
})
