import { created, done, listed, on, type Routes } from '../../api/routes.ts'
import type { KeyService } from './keys.service.ts'

export const keyRoutes = (
  keys: KeyService,
  requireConfirmed: (userUuid: string) => Promise<void>,
): Routes => [
  on('keys', ({ caller, query }) => listed('API keys', keys.list(caller.userUuid, query))),
  on('generateKey', async ({ caller, body }) => {
    await requireConfirmed(caller.userUuid)
    const key = keys.create(caller.userUuid, body)
    return created('API key created; its secret is not shown again', key)
  }),
  on('removeKey', ({ caller, body }) => done('API key revoked', keys.remove(caller.userUuid, body.uuid))),
]
