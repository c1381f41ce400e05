import type { Domain, DomainCheck } from '@waymark/sdk'
import { BadgeCheck, Clock } from 'lucide-react'
import { useState } from 'react'
import { domainsChanged } from '../../api/account.ts'
import { api, sentenceOf } from '../../api/client.ts'
import { useMay } from '../../api/workspaces.ts'
import { toast } from '../../shell/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { DomainRecords } from './domain-records.tsx'

/** A domain with its state, its DNS records and the result of a check. */
export function DomainRow({
  domain,
  onEdit,
  onRemove,
}: {
  readonly domain: Domain
  readonly onEdit: () => void
  readonly onRemove: () => void
}) {
  const [busy, setBusy] = useState<'verify' | 'check' | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [check, setCheck] = useState<DomainCheck | null>(null)
  const attempt = async (what: 'verify' | 'check', work: () => Promise<void>): Promise<void> => {
    setBusy(what)
    setFault(null)
    try {
      await work()
    } catch (error) {
      setFault(sentenceOf(error))
    } finally {
      setBusy(null)
    }
  }
  const { name, shared, verified } = domain
  const mayEdit = useMay()('editDomain')
  const Icon = verified ? BadgeCheck : Clock
  return (
    <li className="py-4 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Icon aria-hidden size={20} className={verified ? 'text-brand' : 'text-warn'} />
        <div className="min-w-3/5 flex-1">
          <p className="truncate font-mono font-semibold">{name}</p>
          <p className="text-sm text-muted">{stateOf(domain)}</p>
        </div>
        {!shared && mayEdit && (
          <span className="flex flex-wrap gap-2">
            {!verified && (
              <Button
                look="primary"
                isBusy={busy === 'verify'}
                onClick={() =>
                  void attempt('verify', async () => {
                    toast.news((await api.verifyDomain({ name })).message)
                    await domainsChanged()
                  })
                }
              >
                Verify
              </Button>
            )}
            <Button
              isBusy={busy === 'check'}
              onClick={() =>
                void attempt('check', async () => setCheck((await api.checkDomain({ name })).data))
              }
            >
              Check
            </Button>
            {verified && <Button onClick={onEdit}>Settings</Button>}
            <Button look="quiet-danger" onClick={onRemove}>
              Remove
            </Button>
          </span>
        )}
      </div>
      {!shared && mayEdit && (!verified || check !== null) && <DomainRecords domain={domain} check={check} />}
      {fault !== null && (
        <Notice kind="danger" className="mt-3">
          {fault}
        </Notice>
      )}
    </li>
  )
}

function stateOf({ shared, verified }: Domain): string {
  if (shared) return 'Shared with all accounts on this server'
  return verified ? 'Verified' : 'Waiting for its DNS record'
}
