import { toCsv } from '@waymark/contract/csv'
import type { Filters } from '../../api/analytics-filters.ts'
import { breakdownsOf, type Dimension, type Range, type Scope, seriesQuery } from '../../api/analytics.ts'
import { sentenceOf } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { toast } from '../../shell/toasts.ts'
import { saveFile } from '../codes/save-file.ts'

export interface Shown {
  readonly scope: Scope
  readonly range: Range
  readonly filters: Filters
}

/** Downloads everything on the screen as one table: dimension, value and counts. */
export async function exportStatistics(
  { scope, range, filters }: Shown,
  name: string,
  dimensions: readonly Dimension[],
): Promise<void> {
  try {
    const figures = seriesQuery(scope, range, filters, { by: dimensions })
    const data = await queryClient.fetchQuery({ ...figures, staleTime: 0 })
    const rows = [
      ['dimension', 'value', 'clicks', 'visitors', 'bots'],
      ...data.series.map((point) => [data.interval, point.at, point.clicks, point.uniques, point.bots]),
      ...breakdownsOf(data).flatMap(([by, breakdown]) =>
        breakdown.map((row) => [by, row.label ?? row.value, row.clicks, '', '']),
      ),
    ]
    saveFile(`waymark-${name}-clicks.csv`, new Blob([toCsv(rows)], { type: 'text/csv' }))
  } catch (error) {
    toast.failure(sentenceOf(error))
  }
}
