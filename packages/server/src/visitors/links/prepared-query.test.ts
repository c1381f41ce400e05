import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askServices } from '../../storage/db/testing.ts'
import { preparedQuery } from './open-lookup.ts'

describe('preparedQuery, on PostgreSQL', () => {
  let url = ''
  let pool: Pool
  const preparedNames = async (): Promise<number> => {
    const { rows } = await pool.query<{ n: number }>('select count(*)::int as n from pg_prepared_statements')
    return rows[0]?.n ?? -1
  }

  beforeAll(async () => {
    url = (await askServices('postgres/create'))['url'] ?? ''
    // One connection, so that its prepared statements can be listed and deleted.
    pool = new Pool({ connectionString: url, max: 1 })
  })
  afterAll(async () => {
    await pool.end()
    await askServices(`postgres/drop?url=${encodeURIComponent(url)}`)
  })

  test('prepares a text once', async () => {
    const query = preparedQuery(pool)
    for (const number of [1, 2, 3])
      expect(await query('select $1::int + 1', [number])).toEqual([[number + 1]])
    expect(await preparedNames()).toBe(1)
  })

  test('continues without names if a pooler loses them', async () => {
    const query = preparedQuery(pool)
    expect(await query('select $1::int + 2', [1])).toEqual([[3]])
    await pool.query('deallocate all')
    expect(await query('select $1::int + 2', [2])).toEqual([[4]])
    expect(await query('select $1::int + 2', [3])).toEqual([[5]])
    expect(await preparedNames()).toBe(0)
  })

  test('reports every other error', async () => {
    await expect(preparedQuery(pool)('select 1 / $1::int', [0])).rejects.toThrow('division by zero')
  })
})
