import { createHook } from 'node:async_hooks'

const kept: object[] = []

/**
 * Keeps one of the objects that `process.nextTick` creates. When none is alive, as after a garbage collection in an idle
 * moment, V8 seems to lose their shape, and creates all later ones on a slow path: a server that was idle for a few
 * seconds would serve up to a tenth fewer requests from then on (docs/adr/0011-ticks-stay-known.md, bench/v8.ts).
 */
export function keepTickShape(): void {
  if (kept.length > 0) return
  const hook = createHook({
    trackPromises: false,
    init(_id, type, _trigger, resource) {
      if (type === 'TickObject') kept.push(resource)
    },
  })
  hook.enable()
  process.nextTick(() => undefined)
  hook.disable()
}
