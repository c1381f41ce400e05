import { readScopes } from '@waymark/contract'
import type { AccountsModule } from '../../accounts/users/accounts.module.ts'
import { on, type Routes } from '../../api/routes.ts'
import type { Core, Module } from '../module.ts'
import { Takeout } from './takeout-archive.ts'

/** All data of a workspace as one archive. `routes`: those of all modules, whose reads are included. */
export function takeoutModule(
  core: Core,
  { workspaces }: Pick<AccountsModule, 'workspaces'>,
  routes: () => Routes,
): Module {
  const takeout = new Takeout({ ...core, workspaces, routes })
  return {
    routes: [
      on('takeout', {
        needs: async () => ({ scopes: readScopes }),
        prepare: async () => undefined,
        run: async ({ caller, request }) => ({
          status: 200,
          payload: await takeout.open(caller, request),
          headers: {
            'content-type': 'application/gzip',
            'content-disposition': 'attachment; filename="waymark-takeout.tar.gz"',
          },
        }),
      }),
    ],
  }
}
