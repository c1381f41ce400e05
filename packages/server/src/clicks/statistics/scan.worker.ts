import { Kysely, SqliteDialect } from 'kysely'
import { connectReader } from '../../storage/db/sqlite-connection.ts'
import type { Tables } from '../../storage/db/tables.ts'
import { type DueMonth, readFigures, type Reading, type SummedMonth, sumMonth } from './stored-clicks.ts'
import type { Figures, FiguresQuery } from './statistics.ts'

const CACHE_MB = 8

let reading: Reading | undefined

function open(file: string): Reading {
  reading ??= {
    engine: 'sqlite',
    sql: new Kysely<Tables>({ dialect: new SqliteDialect({ database: connectReader(file, CACHE_MB) }) }),
  }
  return reading
}

export const figures = ([file, query]: [string, FiguresQuery]): Promise<Figures> =>
  readFigures(open(file), query)

export const sum = ([file, due]: [string, DueMonth]): Promise<SummedMonth> => sumMonth(open(file), due)
