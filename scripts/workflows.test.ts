import { accessSync, constants, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

const root = fileURLToPath(new URL('../', import.meta.url))

interface Step {
  readonly uses?: string
  readonly run?: string
}

interface Job {
  readonly uses?: string
  readonly needs?: string
  readonly container?: string
  readonly permissions?: Readonly<Record<string, string>>
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly unknown[]>> }
  readonly 'timeout-minutes'?: number
  readonly steps?: readonly Step[]
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>
  readonly permissions: Readonly<Record<string, string>>
  readonly jobs: Readonly<Record<string, Job>>
}

const files = globSync('.github/workflows/*.yml', { cwd: root }).sort()
const read = (name: string): Workflow =>
  parse(readFileSync(join(root, `.github/workflows/${name}.yml`), 'utf8')) as Workflow
const scripts = Object.keys(
  (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object }).scripts,
)
const commandsOf = (job: Job | undefined): string[] => (job?.steps ?? []).flatMap(({ run }) => run ?? [])

describe('the workflows', () => {
  it('are a test, a release and the weekly checks', () => {
    expect(files).toEqual(
      ['release', 'test-release', 'test'].map((name) => `.github/workflows/${name}.yml`).sort(),
    )
  })

  it.each(['release', 'test-release', 'test'])(
    '%s is read-only, has a timeout, and runs existing commands',
    (name) => {
      const { permissions, jobs } = read(name)
      expect(permissions).toEqual({ contents: 'read' })
      for (const [id, job] of Object.entries(jobs)) {
        if (job.uses !== undefined) continue
        expect(job['timeout-minutes'], id).toBeLessThanOrEqual(360)
        for (const { uses } of job.steps ?? [])
          if (uses !== undefined) expect(uses).toMatch(/^actions\/[a-z-]+@v\d+$/)
        for (const command of commandsOf(job)) {
          const [, script] = /^npm run ([\w:-]+)/.exec(command) ?? []
          if (script !== undefined) expect(scripts).toContain(script)
          if (command.startsWith('.ci/')) accessSync(join(root, command), constants.X_OK)
        }
      }
    },
  )

  it('test every push and pull request on both architectures and every supported Node', () => {
    const { on, jobs } = read('test')
    expect(Object.keys(on).sort()).toEqual(['pull_request', 'push', 'workflow_call'])
    expect(on['push']).toEqual({ branches: ['main'] })
    expect(jobs['test']?.strategy?.matrix).toEqual({
      runner: ['ubuntu-24.04', 'ubuntu-24.04-arm'],
      node: [22, 24, 26],
    })
    expect(jobs['test']?.container).toContain('matrix.node')
    expect(commandsOf(jobs['test']).at(-1)).toBe('.ci/run')
  })

  it('release a tag that names the version, after the tests', () => {
    const { on, jobs } = read('release')
    expect(on).toEqual({ push: { tags: ['v[0-9]+.[0-9]+.[0-9]+'] } })
    expect(jobs['test']?.uses).toBe('./.github/workflows/test.yml')
    expect(jobs['release']).toMatchObject({ needs: 'test', permissions: { contents: 'write' } })
    const commands = commandsOf(jobs['release'])
    expect(commands.slice(1, 3)).toEqual(['npm ci', 'npm run release'])
    expect(commands[0]).toContain('$GITHUB_REF_NAME')
    expect(commands.at(-1)).toContain('release/*')
  })

  it('run the release checks once a week', () => {
    const { on, jobs } = read('test-release')
    expect(on['schedule']).toEqual([{ cron: expect.stringMatching(/^\d+ \d+ \* \* [0-6]$/) }])
    expect(commandsOf(jobs['test-release']).slice(-2)).toEqual(['npm ci', 'npm run test:release'])
  })
})
