import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

const folder = mkdtempSync(join(tmpdir(), 'waymark-config-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

describe('readConfig', () => {
  it('needs no variable', () => {
    expect(readConfig({})).toMatchObject({
      host: undefined,
      port: 3000,
      baseUrl: 'http://localhost:3000',
      dataDir: resolve('./data'),
      databaseUrl: undefined,
      redisUrl: undefined,
      s3Url: undefined,
      secretKey: undefined,
      workers: 1,
      logLevel: 'info',
      rateLimits: { read: 60, write: 600, session: 600 },
      trustProxy: 0,
      connectionsPerAddress: 256,
      corsOrigins: [],
      signup: 'open',
      seller: { name: 'Waymark', address: null, taxId: null },
      clickRetentionDays: 365,
      auditRetentionDays: 365,
      logAudit: false,
      clickFsync: false,
      webhookAllowPrivate: false,
      metricsToken: undefined,
    })
  })

  it('starts one process per core with WORKERS=auto', () => {
    expect(readConfig({ WORKERS: 'auto' }).workers).toBe(availableParallelism())
    expect(() => readConfig({ WORKERS: 'many' })).toThrow(
      'WORKERS must be a whole number from 1 to 256 or auto, not "many"',
    )
  })

  it('reads variables, and treats blank as unset', () => {
    const config = readConfig({
      PORT: ' 8080 ',
      HOST: '',
      BASE_URL: 'https://Go.Example.com/',
      WORKERS: '4',
      LOG_LEVEL: 'WARN',
      RATE_LIMIT_READ: '5',
      CORS_ORIGINS: 'https://a.example.com, https://b.example.com:8443/',
      SIGNUP: 'closed',
      WEBHOOK_ALLOW_PRIVATE: 'true',
      TRUST_PROXY: '10.0.0.0/8, 192.168.0.1',
    })
    expect(config).toMatchObject({
      host: undefined,
      port: 8080,
      baseUrl: 'https://go.example.com',
      workers: 4,
      logLevel: 'warn',
      rateLimits: { read: 5, write: 600 },
      corsOrigins: ['https://a.example.com', 'https://b.example.com:8443'],
      signup: 'closed',
      webhookAllowPrivate: true,
      trustProxy: '10.0.0.0/8, 192.168.0.1',
    })
  })

  it.each([
    ['on', 1],
    ['1', 1],
    ['2', 2],
    ['off', 0],
    ['FALSE', 0],
  ])('reads TRUST_PROXY=%s', (value, expected) => {
    expect(readConfig({ TRUST_PROXY: value }).trustProxy).toBe(expected)
  })

  it('reads any setting from the file that NAME_FILE names', () => {
    const config = readConfig({
      SECRET_KEY_FILE: file('secret', 'a secret of a good length\n'),
      SECRET_KEY: 'not this one, which is long enough',
      PORT_FILE: file('port', '4000'),
      PLANS_FILE: file('plans.json', '{"gold":{"price":5}}'),
    })
    expect([config.secretKey, config.port, config.plans.initial]).toEqual([
      'a secret of a good length',
      4000,
      'gold',
    ])
  })

  it.each([
    ['PORT', { PORT: 'http' }],
    ['PORT', { PORT: '70000' }],
    ['PORT', { PORT: '-1' }],
    ['WORKERS', { WORKERS: '0' }],
    ['RATE_LIMIT_WRITE', { RATE_LIMIT_WRITE: '1.5' }],
    ['BASE_URL', { BASE_URL: 'go.example.com' }],
    ['BASE_URL', { BASE_URL: 'https://go.example.com/path' }],
    ['BASE_URL', { BASE_URL: 'https://me:hunter2@go.example.com' }],
    ['HOST', { HOST: '999.1.1.1' }],
    ['HOST', { HOST: 'localhost:3000' }],
    ['DATABASE_URL', { DATABASE_URL: 'mysql://x' }],
    ['SECRET_KEY', { DATABASE_URL: 'postgres://x' }],
    ['SECRET_KEY', { SECRET_KEY: 'short' }],
    ['REDIS_URL', { REDIS_URL: 'localhost:6379' }],
    ['S3_URL', { S3_URL: 'bucket' }],
    ['S3_URL', { S3_URL: 'https://key:secret@s3.example.com/' }],
    ['S3_URL', { S3_URL: 'https://key:50%off@s3.example.com/bucket' }],
    ['REDIS_URL', { REDIS_URL: 'redis://:50%off@host' }],
    ['SMTP_URL', { SMTP_URL: 'smtp://me:50%off@mail.example.com' }],
    ['CLICKS_URL', { CLICKS_URL: 'http://clickhouse:8123' }],
    ['CLICKS_URL', { CLICKS_URL: 'http://clickhouse:8123/waymark?secure=1' }],
    ['CLICKS_URL', { CLICKS_URL: 'http://me:50%off@clickhouse:8123/waymark' }],
    ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
    ['SIGNUP', { SIGNUP: 'maybe' }],
    ['CORS_ORIGINS', { CORS_ORIGINS: 'https://a.example.com/path' }],
    ['CORS_ORIGINS', { CORS_ORIGINS: '*' }],
    ['TRUST_PROXY', { TRUST_PROXY: 'perhaps' }],
    ['TRUST_PROXY', { TRUST_PROXY: 'abc' }],
    ['TRUST_PROXY', { TRUST_PROXY: '10.0.0.0/99' }],
    ['TRUST_PROXY', { TRUST_PROXY: 'loopback, perhaps' }],
    ['TRUST_PROXY', { TRUST_PROXY: '100' }],
    ['TRUST_PROXY', { TRUST_PROXY: '1.5' }],
    ['SMTP_URL', { SMTP_URL: 'mail.example.com' }],
    ['SMTP_URL', { SMTP_URL: 'smtp:mail.example.com' }],
    ['SMTP_URL', { SMTP_URL: 'smtp://' }],
    ['BASE_URL', { BASE_URL: 'https:go.example.com' }],
    ['REDIS_URL', { REDIS_URL: 'redis://host/cache' }],
    ['BACKUP_TO', { BACKUP_TO: 'https://key:secret@s3.example.com' }],
    ['OIDC_ISSUER', { OIDC_ISSUER: 'http://id.example.com', OIDC_CLIENT_ID: 'a' }],
    ['OIDC_ISSUER', { OIDC_ISSUER: 'https://id.example.com/?realm=a', OIDC_CLIENT_ID: 'a' }],
    [
      'OIDC_ISSUER',
      { OIDC_ISSUER: 'https://id.example.com/.well-known/openid-configuration', OIDC_CLIENT_ID: 'a' },
    ],
    ['OIDC_ISSUER', { OIDC_CLIENT_ID: 'a' }],
    ['OIDC_CLIENT_ID', { OIDC_ISSUER: 'https://id.example.com' }],
    ['OIDC_SIGNUP', { OIDC_SIGNUP: 'perhaps' }],
    ['OIDC_DOMAINS', { OIDC_ISSUER: 'https://id.example.com', OIDC_CLIENT_ID: 'a', OIDC_SIGNUP: 'on' }],
    ['OIDC_DOMAINS', { OIDC_DOMAINS: 'example' }],
    ['OIDC_JOIN', { OIDC_JOIN: 'chief@0198c0de-0000-7000-8000-000000000000' }],
    ['OIDC_JOIN', { OIDC_JOIN: 'editor' }],
    ['OIDC_CLIENT_SECRET', { OIDC_CLIENT_SECRET: 'CHANGE-ME' }],
    ['PASSWORD_SIGN_IN', { PASSWORD_SIGN_IN: 'perhaps' }],
    ['WEBHOOK_ALLOW_PRIVATE', { WEBHOOK_ALLOW_PRIVATE: 'perhaps' }],
    ['CLICK_RETENTION_DAYS', { CLICK_RETENTION_DAYS: 'never' }],
    ['PLANS_FILE', { PLANS_FILE: '/nowhere/plans.json' }],
    ['SECRET_KEY_FILE', { SECRET_KEY_FILE: '/nowhere/secret' }],
  ])('names %s when it is wrong: %o', (name, environment) => {
    const read = () => readConfig(environment)
    expect(read).toThrow(ConfigError)
    expect(read).toThrow(new RegExp(`^${name} `))
  })

  it('keeps passwords out of its messages', () => {
    expect(() => readConfig({ REDIS_URL: 'https://me:hunter2@host' })).toThrow(/^(?!.*hunter2)/)
  })

  it.each(['not json', '[]', '{}', '{"a":{"price":-1}}', '{"a":{"limits":{"nothing":1}}}'])(
    'refuses the plans %s',
    (text) => {
      expect(() => readConfig({ PLANS_FILE: file('bad.json', text) })).toThrow(/^PLANS_FILE /)
    },
  )
})

describe('a failed start prints one line', () => {
  it.each([
    ['SECRET_KEY', { SECRET_KEY: 'CHANGE-ME-to-a-long-random-text' }],
    ['METRICS_TOKEN', { METRICS_TOKEN: 'change-me' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://waymark:CHANGE-ME@db/waymark' }],
    ['SECRET_KEY_PREVIOUS', { SECRET_KEY_PREVIOUS: 'short' }],
    ['DATA_DIR', { DATA_DIR: file('a-file', 'text') }],
    ['DATA_DIR', { DATA_DIR: join(file('another-file', 'text'), 'data') }],
    [
      'PLANS_FILE',
      { PLANS_FILE: file('bad-plans.json', '[{"name":"pro","price":"ten","limits":{"links":-1}}]') },
    ],
    ['PLANS_FILE', { PLANS_FILE: file('no-plans.json', 'nope\n') }],
    ['PLANS_FILE', { PLANS_FILE: file('misspelt.json', '[{"name":"pro","prise":5}]') }],
    ['LOG_REQUESTS', { LOG_REQUESTS: 'some' }],
    ['WORKERS', { WORKERS_FILE: file('many-lines.txt', '2\n4\n') }],
    ['PLANS_FILE', { PLANS_FILE: '/nowhere/plans\n.json' }],
    ['ABUSE_CONTACT', { ABUSE_CONTACT: 'nobody' }],
    ['ABUSE_CONTACT', { ABUSE_CONTACT: 'https://social.example/@abuse' }],
    ['SECURITY_CONTACT', { SECURITY_CONTACT: 'nobody' }],
  ])('%s', (name, settings) => {
    let message = ''
    try {
      readConfig(settings)
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigError)
      message = (error as Error).message
    }
    expect(message.startsWith(name)).toBe(true)
    expect(message).not.toContain('\n')
  })

  it('names every wrong field of a plan', () => {
    const PLANS_FILE = file('wrong-plans.json', '[{"name":"pro","price":"ten","limits":{"links":-1}}]')
    expect(() => readConfig({ PLANS_FILE })).toThrow(/plans: 0\.price: .*; 0\.limits\.links: /)
    expect(() => readConfig({ PLANS_FILE: file('empty.json', '[]') })).toThrow(/plans: Too small/)
  })
})
