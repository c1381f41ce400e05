import { listed, on } from '../../api/routes.ts'
import type { Core, Module } from '../../modules/module.ts'
import { AuditService } from './audit.service.ts'
import { createAuditStore } from './audit.store.ts'

const STORE_REJECTED_MS = 2_000

const CSV = {
  'content-type': 'text/csv; charset=utf-8',
  'content-disposition': 'attachment; filename="waymark-audit-log.csv"',
}

/** The audit log. */
export function auditModule(core: Core): Module & { readonly service: AuditService } {
  const { config, db, log, now, newId, reportError } = core
  const service = new AuditService({
    db,
    store: createAuditStore(db),
    retentionDays: config.auditRetentionDays,
    log: config.logAudit ? log : undefined,
    now,
    newId,
  })
  return {
    service,
    routes: [
      on('auditLog', async ({ caller, query, request }) => {
        await service.storeRejected()
        if (query.format !== 'csv' && !/^\s*text\/csv\b/i.test(request.accept))
          return listed('Audit log', service.list(caller.workspaceUuid, query))
        return { status: 200, payload: await service.export(caller.workspaceUuid, query), headers: CSV }
      }),
    ],
    jobs: [{ name: 'audit log', cron: '50 2 * * *', run: (signal) => service.sweep(signal) }],
    start: (closing) => {
      const timer = setInterval(
        () => void service.storeRejected().catch(reportError),
        STORE_REJECTED_MS,
      ).unref()
      closing.defer(async () => {
        clearInterval(timer)
        await service.storeRejected()
      })
    },
    erase: (workspaceUuid) => service.erase(workspaceUuid),
  }
}
