import type { OperationName } from '@waymark/contract'
import type { Analytics } from '@waymark/sdk'
import type { Command } from 'commander'
import { connect } from '../credentials.ts'
import { idText, uuidOf } from '../find-resource.ts'
import { callOf, type Fields } from '../operations/call.ts'
import { addFields, fieldsOf, inputOf } from '../operations/fields.ts'
import { print } from '../print.ts'
import type { Resource } from '../resources.ts'
import { jsonOption, type Output, table } from '../terminal/index.ts'
import { withExamples } from './examples.ts'

const BAR_WIDTH = 30

/** Clicks over time, of one resource or of the whole account. */
export function addStats(group: Command, resource: Resource, operation: OperationName): void {
  const fields = fieldsOf(operation)
  const command = group
    .command('stats')
    .description(`clicks of a ${resource.noun}, or of the whole account`)
    .argument('[id]', idText(resource))
  addFields(command, fields, ['uuid'])
  command.addOption(jsonOption)
  withExamples(command, [
    'waymark link stats spring --from 2026-01-01 --interval month',
    'waymark link stats --tag shop --by country,device',
  ]).action((id: string | undefined, options: Output & Fields) =>
    print(options, async () => {
      const client = await connect()
      const uuid = id === undefined ? undefined : await uuidOf(client, resource, id)
      const { data } = await callOf(client, operation)({ ...inputOf(fields, options), ...(uuid && { uuid }) })
      return { text: textOf(data as Analytics), json: data }
    }),
  )
}

const barsOf = (counts: readonly number[]): string[] => {
  const most = Math.max(1, ...counts)
  return counts.map((count) => '█'.repeat(Math.round((count / most) * BAR_WIDTH)))
}

const breakdownsOf = ({
  by,
  breakdown,
  breakdowns = {},
}: Pick<Analytics, 'by' | 'breakdown' | 'breakdowns'>) =>
  by === null ? Object.entries(breakdowns) : ([[by, breakdown]] as const)

function textOf({ totals, series, interval, from, to, ...data }: Analytics): string {
  const time = (at: string): string =>
    interval === 'hour' ? at.slice(0, 16).replace('T', ' ') : at.slice(0, 10)
  const bars = barsOf(series.map(({ clicks }) => clicks))
  const parts = [
    `${totals.clicks} clicks, ${totals.uniques} unique visitors and ${totals.bots} bots from ${time(from)} to ${time(to)}`,
    table(series.map(({ at, clicks }, index) => [time(at), String(clicks), bars[index] ?? ''])),
  ]
  for (const [by, breakdown] of breakdownsOf(data)) {
    const rows = breakdown.map(({ value, label, clicks }) => [label ?? value, String(clicks)])
    parts.push(rows.length === 0 ? 'No clicks in this period' : table([[by, 'clicks'], ...rows]))
  }
  return parts.join('\n\n')
}
