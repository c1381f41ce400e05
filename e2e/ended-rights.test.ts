import { beforeAll, describe, expect, it } from 'vitest'
import { forEachStack } from './support/stacks.ts'
import { newEmail, PASSWORD, Visitor } from './support/visitors.ts'
import { connect, type Socket } from 'node:net'
import { sign } from './support/requests.ts'

const NEW_PASSWORD = 'Correct-horse-2'
/** A right must end what runs under it within 5 s; a busy machine gets more. */
const SOON = { timeout: 30_000 }

interface Stream {
  readonly status: number
  readonly isOpen: () => boolean
}

forEachStack((waymark) => {
  const streams: Socket[] = []
  beforeAll(() => () => streams.forEach((socket) => socket.destroy()))

  /** Opens a stream and leaves it open. */
  const open = (path: string, headers: Record<string, string>): Promise<Stream> => {
    const { port } = waymark()
    const socket = connect(port, '127.0.0.1')
    streams.push(socket)
    let isOpen = true
    socket.on('error', () => undefined).on('close', () => (isOpen = false))
    const lines = Object.entries({ host: `localhost:${port}`, connection: 'close', ...headers }).map(
      ([k, v]) => `${k}: ${v}`,
    )
    socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
    return new Promise((resolve) =>
      socket.once('data', (bytes) =>
        resolve({ status: Number(String(bytes).split(' ')[1]), isOpen: () => isOpen }),
      ),
    )
  }

  const owning = async () => {
    const owner = new Visitor(waymark())
    await owner.signUp(newEmail())
    const workspace: string = (await owner.get('/v1/workspaces')).body.data[0].uuid
    return { owner, workspace }
  }

  /** An owner, and another member of the workspace who listens to clicks. */
  const listening = async (role: string) => {
    const { owner, workspace } = await owning()
    const [member, email] = [new Visitor(waymark()), newEmail()]
    await member.signUp(email)
    const { uuid } = (await member.get('/v1/workspaces')).body.data[0]
    const { body } = await owner.post('/v1/invite-member', { email, role })
    const token = new URL(body.data.invite_url).searchParams.get('token')
    expect((await member.post('/v1/accept-invitation', { token })).status).toBe(200)
    const headers = { 'x-workspace': workspace, cookie: member.cookie ?? '' }
    const stream = await open('/v1/live', headers)
    expect(stream.status).toBe(200)
    return { owner, workspace, member, uuid: uuid as string, stream, headers }
  }

  describe('a live stream ends', () => {
    it('when its user signs out', async () => {
      const { member, stream } = await listening('viewer')
      expect((await member.post('/v1/sign-out')).status).toBe(200)
      await expect.poll(stream.isOpen, SOON).toBe(false)
    })

    it('when the password is changed; the former cookie is rejected at once', async () => {
      const { member, stream, headers } = await listening('viewer')
      const fields = { old_password: PASSWORD, password: NEW_PASSWORD, confirm_password: NEW_PASSWORD }
      expect((await member.post('/v1/update-password', fields)).status).toBe(200)
      expect((await open('/v1/live', headers)).status).toBe(401)
      expect((await member.get('/v1/workspaces')).status).toBe(200)
      await expect.poll(stream.isOpen, SOON).toBe(false)
    })

    it('when its member is removed', async () => {
      const { owner, uuid, stream } = await listening('viewer')
      expect((await owner.post('/v1/remove-member', { uuid })).status).toBe(200)
      await expect.poll(stream.isOpen, SOON).toBe(false)
    })

    it('when its workspace is removed', async () => {
      const { owner, stream } = await listening('viewer')
      expect((await owner.post('/v1/remove-workspace')).status).toBe(200)
      await expect.poll(stream.isOpen, SOON).toBe(false)
    })

    it('when its workspace is suspended', async () => {
      const { workspace, stream } = await listening('viewer')
      const { code } = await waymark().cli('admin', 'user', 'suspend', '--workspace', workspace)
      expect(code).toBe(0)
      await expect.poll(stream.isOpen, SOON).toBe(false)
    })

    it('when its token expires, and another one goes on', async () => {
      const { owner } = await owning()
      const expires_at = new Date(Date.now() + 4_000).toISOString()
      const tokenOf = async (fields: object): Promise<string> =>
        (await owner.post('/v1/generate-token', { name: 'CI', ...fields })).body.data.token
      const streamOf = async (token: string) => open('/v1/live', { authorization: `Bearer ${token}` })
      const expiring = await streamOf(await tokenOf({ expires_at }))
      const lasting = await streamOf(await tokenOf({}))
      expect([expiring.status, lasting.status]).toEqual([200, 200])
      await expect.poll(expiring.isOpen, SOON).toBe(false)
      expect(lasting.isOpen()).toBe(true)
    })
  })

  it('a client that leaves before the first event frees its stream', async () => {
    const account = await waymark().account()
    for (let n = 0; n < 40; n++) {
      const socket = connect(waymark().port, '127.0.0.1').on('error', () => undefined)
      const headers = { host: `localhost:${waymark().port}`, ...sign(account, 'GET', '/v1/live') }
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
      await new Promise((written) =>
        socket.write(`GET /v1/live HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`, written),
      )
      await new Promise((passed) => setTimeout(passed, n % 8))
      socket.destroy()
    }
    const statuses: number[] = []
    await expect
      .poll(async () => {
        const { status } = await open('/v1/live', sign(account, 'GET', '/v1/live'))
        statuses.push(status)
        return statuses.filter((each) => each === 200).length
      }, SOON)
      .toBe(10)
  })
})
