import { describe, expect, it } from 'vitest'
import { forEachDatabase } from '../../storage/db/testing.ts'
import { testServices } from '../testing.ts'
import { ShortCodeAvailability } from './short-codes.ts'

const TO = 'https://example.com/there'

forEachDatabase((_engine, _open, databases) => {
  const services = testServices(databases)
  const links = () => services().modules.links.service
  const stateOf = async (user: string, code: string) => {
    const { core, modules } = services()
    const { tombstones } = core
    const deps = { store: modules.links.store, tombstones, domains: modules.domains.service }
    const { state, uuid } = await new ShortCodeAvailability(deps).find(user, { code })
    return [state, uuid]
  }

  describe('a short code', () => {
    it('is available until a link has it, and returns the caller’s link', async () => {
      const [user, other] = [await services().newUser(), await services().newUser()]
      expect(await stateOf(user, 'asked-1')).toEqual(['available', null])
      const { uuid } = await links().create(user, { link: TO, customLink: 'asked-1' })
      expect(await stateOf(user, 'asked-1')).toEqual(['taken', uuid])
      expect(await stateOf(other, 'asked-1')).toEqual(['taken', null])
      expect(await stateOf(user, 'Asked-1')).toEqual(['available', null])
    })

    it('stays taken when its link is renamed, in the trash or erased', async () => {
      const user = await services().newUser()
      const { uuid } = await links().create(user, { link: TO, customLink: 'asked-2' })
      await links().edit(user, { uuid, link: TO, customLink: 'asked-3' }, undefined)
      expect(await stateOf(user, 'asked-2')).toEqual(['taken', uuid])
      await links().owned.remove(user, { uuid })
      expect(await stateOf(user, 'asked-2')).toEqual(['taken', null])
      const erased = await links().create(user, { link: TO, customLink: 'asked-4' })
      await links().owned.remove(user, { uuid: erased.uuid, permanent: true })
      expect(await stateOf(user, 'asked-4')).toEqual(['taken', null])
    })

    it('can be a reserved word', async () => {
      const user = await services().newUser()
      expect(await stateOf(user, 'Docs')).toEqual(['reserved', null])
    })
  })
})
