import { expect, test } from 'vitest'
import { HostList } from './host-list.ts'

const list = HostList.parse(`
# comment
evil.example
.suffix.example   # and its subdomains
*.star.example
0.0.0.0 hosts-file.example
BÜCHER.example
192.0.2.7
`)

test.each([
  ['https://evil.example/', 'evil.example'],
  ['https://EVIL.example.:8443/a?b', 'evil.example'],
  ['https://suffix.example/', '.suffix.example'],
  ['https://a.b.suffix.example/', '.suffix.example'],
  ['https://a.star.example/', '.star.example'],
  ['https://hosts-file.example/', 'hosts-file.example'],
  ['https://xn--bcher-kva.example/', 'xn--bcher-kva.example'],
  ['http://192.0.2.7/', '192.0.2.7'],
])('%s is listed by %s', (url, pattern) => expect(list.find(url)).toBe(pattern))

test.each([
  'https://sub.evil.example/',
  'https://notevil.example/',
  'https://notsuffix.example/',
  'https://example/',
  'https://example.com/?u=https://evil.example/',
  'nonsense',
])('%s is not listed', (url) => expect(list.find(url)).toBeUndefined())
