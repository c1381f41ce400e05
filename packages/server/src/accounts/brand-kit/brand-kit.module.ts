import { done, on } from '../../api/routes.ts'
import type { Core, Module } from '../../modules/module.ts'
import type { WorkspaceStore } from '../users/workspaces.store.ts'
import { BrandKitService } from './brand-kit.service.ts'

/** Colours and logo of a workspace. */
export function brandKitModule(
  core: Core,
  workspaces: WorkspaceStore,
): Module & { readonly service: BrandKitService } {
  const service = new BrandKitService({ ...core, workspaces })
  return {
    service,
    routes: [
      on('brandKit', ({ caller }) => done('Brand kit', service.get(caller.workspaceUuid))),
      on('editBrandKit', {
        prepare: ({ body }) => service.stageLogo(body.logo),
        undo: (logo) => service.discardLogo(logo),
        run: ({ caller, body }, logo) =>
          done('Brand kit saved', service.edit(caller.workspaceUuid, body, logo)),
      }),
    ],
  }
}
