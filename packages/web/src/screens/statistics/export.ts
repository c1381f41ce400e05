import { toCsv } from '@waymark/contract/csv'
import type { Filters } from '../../api/analytics-filters.ts'
import { breakdownQuery, type Dimension, type Range, type Scope, seriesQuery } from '../../api/analytics.ts'
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
    const fresh = { staleTime: 0 }
    const [series, ...breakdowns] = await Promise.all([
      queryClient.fetchQuery({ ...seriesQuery(scope, range, filters), ...fresh }),
      ...dimensions.map((by) =>
        queryClient.fetchQuery({ ...breakdownQuery(scope, range, filters, by), ...fresh }),
      ),
    ])
    const rows = [
      ['dimension', 'value', 'clicks', 'visitors', 'bots'],
      ...series.series.map((point) => [series.interval, point.at, point.clicks, point.uniques, point.bots]),
      ...breakdowns.flatMap((breakdown, index) =>
        breakdown.map((row) => [dimensions[index] ?? '', row.label ?? row.value, row.clicks, '', '']),
      ),
    ]
    saveFile(`waymark-${name}-clicks.csv`, new Blob([toCsv(rows)], { type: 'text/csv' }))
  } catch (error) {
    toast.failure(sentenceOf(error))
  }
}
