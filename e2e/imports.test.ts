import { setTimeout as delay } from 'node:timers/promises'
import { createClient, type Import, importFile, previewFile } from '@waymark/sdk'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { get, multipart, type Part, post } from './support/requests.ts'
import { forEachStack } from './support/stacks.ts'
import type { Account } from './support/waymark.ts'

const RUN_MS = 120_000

forEachStack((waymark, stack) => {
  const send = (account: Account, file: string, fields: Record<string, string> = {}) => {
    const parts: Part[] = Object.entries(fields).map(([name, value]) => ({ name, value }))
    const body = multipart([...parts, { name: 'file', value: file, filename: 'links.csv', type: 'text/csv' }])
    return post(waymark(), account, '/v1/import-links', body)
  }
  const clientOf = ({ apiKey, secret }: Account) => createClient({ baseUrl: waymark().url, apiKey, secret })
  const state = async (account: Account, uuid: string): Promise<Import> => {
    const { data } = await clientOf(account).imports({ uuid })
    const [found] = data
    if (found === undefined) throw new Error('There is no such import')
    return found
  }
  const ended = async (account: Account, uuid: string): Promise<Import> => {
    for (let waitedMs = 0; waitedMs < RUN_MS; waitedMs += 100) {
      const found = await state(account, uuid)
      if (!['running', 'undoing'].includes(found.state)) return found
      await delay(100)
    }
    throw new Error('The import does not end')
  }
  const totalOf = async (account: Account): Promise<number> =>
    (await get(waymark(), account, '/v1/links?limit=1')).body.meta.total
  const lines = (count: number, prefix: string): string =>
    `link,customLink,title\n${Array.from({ length: count }, (_, n) => `https://example.com/${n},${prefix}${n},Title ${n}`).join('\n')}\n`

  it('a text with a line break is a problem of its row', async () => {
    const account = await waymark().account()
    const prefix = `br${Date.now()}_`
    const file = `link,customLink,title,tags\nhttps://example.com/,${prefix}1,"a\nb",c\nhttps://example.com/,${prefix}2,a,"c\u001bd"\nhttps://example.com/,${prefix}3,a,c\n`
    const client = clientOf(account)
    const { import: preview } = await client.importLinks({ file: new Blob([file]), preview: true })
    const message = 'Must be one line of text without control characters'
    expect(preview).toMatchObject({
      importable: 1,
      problems: [
        { line: 2, column: 'title', message, skipped: true },
        { line: 4, column: 'tags.0', message, skipped: true },
      ],
    })
    await client.runImport({ uuid: preview.uuid, on_taken: 'skip' })
    await ended(account, preview.uuid)
    expect(await totalOf(account)).toBe(1)
  })

  describe('an import in the background', () => {
    it('is previewed, run, followed and undone by way of the SDK', async () => {
      const account = await waymark().account()
      const client = clientOf(account)
      const prefix = `bg${Date.now()}_`
      const file = new Blob([`${lines(30, prefix)}nonsense,,\n`])
      const { import: preview, data } = await client.importLinks({ file, preview: true })
      expect(data).toEqual([])
      expect(preview).toMatchObject({ state: 'ready', total: 31, importable: 30, problem_count: 1 })
      expect(preview.problems).toEqual([
        { line: 32, column: 'link', message: 'Must be a valid http or https URL', skipped: true },
      ])
      expect(await totalOf(account)).toBe(0)
      const { data: started } = await client.runImport({ uuid: preview.uuid, on_taken: 'skip' })
      expect(started.state).toBe('running')
      expect(await ended(account, preview.uuid)).toMatchObject({ state: 'done', created: 30, processed: 30 })
      const visit = await fetch(`${waymark().url}/${prefix}7`, { redirect: 'manual' })
      expect(visit.headers.get('location')).toBe('https://example.com/7')
      await client.undoImport({ uuid: preview.uuid })
      expect(await ended(account, preview.uuid)).toMatchObject({ state: 'undone', created: 0 })
      expect(await totalOf(account)).toBe(0)
      expect((await fetch(`${waymark().url}/${prefix}8`, { redirect: 'manual' })).status).toBe(404)
    })

    it('replaces the preview before, and takes what columns mean from the caller', async () => {
      const account = await waymark().account()
      const client = clientOf(account)
      const file = new Blob(['Long link,Name\nhttps://example.com/,One\n'])
      const { import: unmapped } = await client.importLinks({ file, preview: true })
      expect(unmapped).toMatchObject({
        importable: 0,
        columns: [
          { column: 'Long link', field: null },
          { column: 'Name', field: null },
        ],
        runnable_until: null,
      })
      const columns = [
        { column: 'Long link', field: 'link' },
        { column: 'Name', field: 'title' },
      ]
      for (let n = 0; n < 4; n++) await client.importLinks({ file, columns, preview: true })
      const { data } = await client.imports()
      expect(data).toMatchObject([{ state: 'ready', importable: 1, columns }])
      const body = multipart([
        { name: 'columns[0][column]', value: 'Long link' },
        { name: 'columns[0][field]', value: 'colour' },
        { name: 'columns[1][column]', value: 'Long link' },
        { name: 'columns[1][field]', value: '' },
        { name: 'file', value: 'Long link\nx\n', filename: 'links.csv', type: 'text/csv' },
      ])
      const wrong = await post(waymark(), account, '/v1/import-links', body)
      expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([
        422,
        expect.arrayContaining(['columns.0.field']),
      ])
      const unknown = { file, columns: [{ column: 'URL', field: 'link' }] }
      await expect(client.importLinks(unknown)).rejects.toMatchObject({
        errors: { columns: ['There is no column URL. Columns found: Long link, Name'] },
      })
    })

    it('belongs to its account, and is signed', async () => {
      const [account, other] = [await waymark().account(), await waymark().account()]
      const { body } = await send(account, lines(1, `own${Date.now()}_`), { preview: 'true' })
      const { uuid } = body.import
      for (const path of ['/v1/run-import', '/v1/undo-import'])
        expect((await post(waymark(), other, path, { uuid })).status).toBe(404)
      expect((await clientOf(other).imports()).data).toEqual([])
      const unsigned = await fetch(`${waymark().url}/v1/imports`, {
        headers: { 'x-api-key': account.apiKey },
      })
      expect(unsigned.status).toBe(401)
    })

    // Jobs go on in the same way on PostgreSQL: bulk-edits.test.ts.
    it.runIf(stack === 'embedded')(
      'goes on after kill -9, without losing or repeating a link',
      async () => {
        const account = await waymark().account()
        const count = 3_000
        const { status, body } = await send(account, lines(count, `kill${Date.now()}_`))
        expect([status, body.data, body.import.state]).toEqual([201, [], 'running'])
        const { uuid } = body.import
        for (let kills = 0; kills < 2; kills++) {
          const before = await state(account, uuid)
          // At least a batch is created after the last start, or the kill would cut off nothing.
          for (let now = before; now.state === 'running' && now.processed === before.processed;) {
            await delay(20)
            now = await state(account, uuid)
          }
          await waymark().end('SIGKILL')
          await waymark().restart()
        }
        expect(await ended(account, uuid)).toMatchObject({ state: 'done', created: count, processed: count })
        expect(await totalOf(account)).toBe(count)
        const { stdout } = { stdout: await clientOf(account).exportLinks() }
        const codes = stdout
          .split('\r\n')
          .slice(1, -1)
          .map((line) => line.split(',')[1])
        expect(new Set(codes).size).toBe(count)
      },
      300_000,
    )
  })

  describe('a file that is imported in parts', () => {
    const partSize = { bytes: 1_000_000, links: 10 }

    it('continues after a part that failed, and imports no part twice', async () => {
      const [account, other] = [await waymark().account(), await waymark().account()]
      const client = clientOf(account)
      const prefix = `parts${Date.now()}_`
      const file = new File([`${lines(25, prefix)}nonsense,,\n`], 'links.csv')
      await clientOf(other).generateLink({ link: 'https://example.com/', customLink: `${prefix}13` })

      const shares: number[] = []
      const failed = await importFile(client, file, {
        partSize,
        onProgress: ({ share }) => shares.push(share),
      })
      expect(failed).toMatchObject({ state: 'failed', parts: 3, created: 10, imports: { length: 2 } })
      expect(failed.error).toBe('1 short code(s) are taken; nothing was imported')
      expect(shares).toEqual(shares.toSorted((a, b) => a - b))
      expect(await totalOf(account)).toBe(10)

      const done = await importFile(client, file, { partSize, on_taken: 'rename' })
      expect(done).toMatchObject({ state: 'done', total: 26, created: 25, renamed: 1, problem_count: 2 })
      // Named by their lines in the whole file.
      expect(done.problems.map(({ line, column }) => [line, column])).toEqual([
        [15, 'customLink'],
        [27, 'link'],
      ])
      const uuids = done.imports.map(({ uuid }) => uuid)
      expect(uuids[0]).toBe(failed.imports[0]?.uuid)
      const repeated = await importFile(client, file, { partSize })
      expect(repeated.imports.map(({ uuid }) => uuid)).toEqual(uuids)
      expect(await totalOf(account)).toBe(25)
    }, 120_000)

    it('runs the part that was uploaded for a preview, and follows one that is being imported', async () => {
      const account = await waymark().account()
      const client = clientOf(account)
      const file = new File([lines(25, `seen${Date.now()}_`)], 'links.csv')
      const preview = await previewFile(client, file, { partSize })
      expect(preview).toMatchObject({ parts: 3, imported: 0, import: { state: 'ready', total: 10 } })
      expect(await previewFile(client, file, { partSize })).toEqual(preview)
      await client.runImport({ uuid: preview.import.uuid })
      expect(await previewFile(client, file, { partSize })).toMatchObject({ parts: 3, imported: 1 })
      const [first, second] = (await importFile(client, file, { partSize })).imports
      expect(first).toMatchObject({ uuid: preview.import.uuid, state: 'done', created: 10 })
      // What was undone is imported again.
      await client.undoImport({ uuid: second?.uuid ?? '' })
      await ended(account, second?.uuid ?? '')
      expect(await importFile(client, file, { partSize })).toMatchObject({ state: 'done', created: 25 })
      expect(await totalOf(account)).toBe(25)
    }, 120_000)
  })

  it('takes every export back as it was', async () => {
    // A cell cannot tell an empty text from none.
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
    const link = fc.record(
      {
        link: fc.webUrl({ withQueryParameters: true, withFragments: true }),
        title: text,
        description: text,
        tag: text.filter((value) => value.trim() === value && value !== '' && !/[\n\r\t,;|]/.test(value)),
        redirect: fc.constantFrom(301, 302, 307, 308),
        max_clicks: fc.integer({ min: 1, max: 1_000_000 }),
        ios_url: fc.webUrl(),
        android_url: fc.webUrl(),
        expire: fc.date({ min: new Date('2090-01-01'), max: new Date('2099-01-01'), noInvalidDate: true }),
      },
      { requiredKeys: ['link'] },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(link, { minLength: 1, maxLength: 20 }), async (links) => {
        const [from, to] = [clientOf(await waymark().account()), clientOf(await waymark().account())]
        const given = links.map(({ expire, ...rest }) => ({
          ...rest,
          ...(expire !== undefined && { expire: expire.toISOString() }),
        }))
        const { data: made } = await from.generateLinks({ links: given })
        const { data: back } = await to.importLinks({ file: new Blob([await from.exportLinks()]) })
        const kept = ({
          uuid: _u,
          code: _c,
          short_url: _s,
          updated_at: _t,
          created_by: _b,
          ...rest
        }: (typeof back)[number]) => rest
        const byCreation = (list: typeof back) =>
          list.map(kept).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
        expect(byCreation(back)).toEqual(byCreation(made))
      }),
      { numRuns: 8 },
    )
  }, 120_000)
})
