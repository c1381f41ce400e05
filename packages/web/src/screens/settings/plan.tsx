import { useQuery } from '@tanstack/react-query'
import type { Plan } from '@waymark/sdk'
import { Download } from 'lucide-react'
import { invoicesQuery, planQuery } from '../../api/account.ts'
import { useMay } from '../../api/workspaces.ts'
import { Failure } from '../../ui/failure.tsx'
import { RoleNotice } from '../../ui/may.tsx'
import { price, whole } from '../../ui/numbers.ts'
import { Card, Skeletons } from '../../ui/screen.tsx'
import { dayOf } from '../../ui/times.ts'

export function PlanSettings() {
  const plan = useQuery(planQuery)
  const mayInvoices = useMay()('invoices')
  const invoices = useQuery({ ...invoicesQuery, enabled: mayInvoices })
  return (
    <>
      {plan.isError && <Failure error={plan.error} onRetry={() => void plan.refetch()} />}
      {plan.isPending && <Skeletons count={1} className="h-94 sm:h-67" />}
      {plan.data !== undefined && <PlanCard plan={plan.data} />}
      <Card title="Invoices">
        <RoleNotice does="invoices" lead="You cannot see invoices." />
        {invoices.isError && <Failure error={invoices.error} onRetry={() => void invoices.refetch()} />}
        {invoices.data?.length === 0 && <p className="text-muted">No invoices yet.</p>}
        <ul className="divide-y divide-line">
          {invoices.data?.map((invoice) => (
            <li
              key={invoice.number}
              className="flex flex-wrap items-center gap-x-6 gap-y-1 py-3 first:pt-0 last:pb-0"
            >
              <span className="min-w-32 flex-1">
                <span className="block font-mono text-sm font-semibold">{invoice.number}</span>
                <span className="text-sm text-muted">
                  {dayOf(invoice.period_start)} to {dayOf(invoice.period_end)}
                </span>
              </span>
              <span className="font-semibold tabular">{price(invoice.total, invoice.currency)}</span>
              <a
                href={invoice.pdf_url}
                download
                className="button button-plain"
                aria-label={`PDF of invoice ${invoice.number}`}
              >
                <Download aria-hidden size={16} /> PDF
              </a>
            </li>
          ))}
        </ul>
      </Card>
    </>
  )
}

const names: Record<string, string> = {
  links: 'Links',
  qrcodes: 'QR codes',
  barcodes: 'Barcodes',
  pages: 'Pages',
  utm: 'UTM links',
  utm_links: 'UTM links',
  domains: 'Domains',
  workspaces: 'Workspaces you own',
}

function PlanCard({ plan }: { readonly plan: Plan }) {
  const interval = plan.interval === 'year' ? 'a year' : 'a month'
  return (
    <Card
      title={`Plan: ${plan.name}`}
      lead={`Since ${dayOf(plan.started_at)}, renews ${dayOf(plan.renews_at)}.`}
      aside={
        <p className="text-xl font-bold">
          {plan.price === 0 ? 'Free' : `${price(plan.price, plan.currency)} ${interval}`}
        </p>
      }
    >
      <ul className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
        {Object.entries(plan.usage).map(([resource, used]) => (
          <Usage
            key={resource}
            name={names[resource] ?? resource}
            used={used}
            limit={plan.limits[resource] ?? null}
          />
        ))}
      </ul>
    </Card>
  )
}

function Usage({
  name,
  used,
  limit,
}: {
  readonly name: string
  readonly used: number
  readonly limit: number | null
}) {
  const share = limit === null ? 0 : Math.min(1, used / Math.max(1, limit))
  return (
    <li>
      <p className="mb-1 flex justify-between gap-3 text-sm">
        <span className="font-semibold">{name}</span>
        <span className="text-muted tabular">
          {whole.format(used)} {limit === null ? 'used, no limit' : `of ${whole.format(limit)}`}
        </span>
      </p>
      {limit !== null && (
        <meter
          aria-label={`${name} used`}
          value={share}
          high={0.9}
          className="h-2 w-full [&::-webkit-meter-bar]:rounded-full [&::-webkit-meter-bar]:border-0 [&::-webkit-meter-bar]:bg-line [&::-webkit-meter-optimum-value]:bg-brand [&::-webkit-meter-suboptimum-value]:bg-danger"
        />
      )}
    </li>
  )
}
