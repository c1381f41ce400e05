import { done, on } from '../../api/routes.ts'
import type { Core, Module } from '../../modules/module.ts'
import type { UserStore } from '../users/users.store.ts'
import { BrandKitService } from './brand-kit.service.ts'

/** Colours and logo of an account. */
export function brandKitModule(core: Core, users: UserStore): Module {
  const service = new BrandKitService({ ...core, users })
  return {
    routes: [
      on('brandKit', ({ caller }) => done('Brand kit', service.get(caller.userUuid))),
      on('editBrandKit', {
        prepare: ({ body }) => service.stageLogo(body.logo),
        undo: (logo) => service.discardLogo(logo),
        run: ({ caller, body }, logo) => done('Brand kit saved', service.edit(caller.userUuid, body, logo)),
      }),
    ],
  }
}
