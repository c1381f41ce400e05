import { expect, it } from 'vitest'
import { configVariables } from '../../../scripts/config-variables.ts'
import { doubtfulNames } from './doubtful-names.ts'
import { readConfig } from './config.ts'

const found = (environment: Record<string, string>) => readConfig(environment).doubtful

it('names a variable that is set in both ways', () => {
  const file = import.meta.filename
  expect(found({ ABUSE_CONTACT: 'a@example.com', SELLER_NAME: 'Shop', SELLER_NAME_FILE: file })).toEqual([
    'SELLER_NAME and SELLER_NAME_FILE are both set, and only SELLER_NAME_FILE is read: remove one of them',
  ])
  expect(found({ SELLER_NAME: ' ', SELLER_NAME_FILE: file })).toEqual([])
  expect(found({ SELLER_NAME: 'Shop', SELLER_NAME_FILE: '' })).toEqual([])
})

it.each([
  ['SIGN_UP', 'SIGNUP'],
  ['BASEURL', 'BASE_URL'],
  ['base_url', 'BASE_URL'],
  ['BASE_URI', 'BASE_URL'],
  ['DATABSE_URL', 'DATABASE_URL'],
  ['SERCET_KEY', 'SECRET_KEY'],
  ['WORKER', 'WORKERS'],
  ['TRUST_PROXYS', 'TRUST_PROXY'],
  ['SECRETKEY_FILE', 'SECRET_KEY_FILE'],
])('names the variable that %s stands for', (name, meant) => {
  expect(found({ [name]: 'x' })).toEqual([
    `${name} is not a setting of Waymark and has no effect: is it ${meant}?`,
  ])
})

it.each([
  'HOME',
  'PATH',
  'SHELL',
  'HOSTNAME',
  'PWD',
  'LOGNAME',
  'POST',
  'PORTS',
  'TERM',
  'XDG_DATA_DIRS',
  'NODE_ENV',
  'npm_config_cache',
  'WAYMARK_PORT',
  'WAYMARK_SERVICE_HOST',
  'SMTP_HOST',
  'REDIS_TLS_URL',
  'DATABASE_HOST',
  'PGHOST',
  'S3_BUCKET',
  'UV_THREADPOOL_SIZE',
  'INVOCATION_ID',
  'JOURNAL_STREAM',
])('says nothing about %s', (name) => {
  expect(found({ [name]: 'x' })).toEqual([])
})

it('says nothing about names of other programs while ours is set', () => {
  expect(found({ REDIS_URI: 'redis://a', REDIS_URL: 'redis://a' })).toEqual([])
  expect(found({ BASEURL: '' })).toEqual([])
})

it('says nothing about any setting', () => {
  const all = [...configVariables].flatMap((name) => [{ [name]: 'x' }, { [`${name}_FILE`]: 'x' }])
  for (const environment of all) expect(doubtfulNames(environment, configVariables)).toEqual([])
})
