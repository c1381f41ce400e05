import { describe, expect, it } from 'vitest'
import { actingFor, currentRequester, type Requester } from '../net/admission/gate.ts'
import { SingleFlight } from './single-flight.ts'

describe('SingleFlight', () => {
  it('runs work once for concurrent callers, and again for later ones', async () => {
    const flights = new SingleFlight<number>()
    let done = 0
    const work = async (): Promise<number> => {
      await Promise.resolve()
      return ++done
    }
    expect(await Promise.all([flights.run('a', work), flights.run('a', work)])).toEqual([1, 1])
    expect(await flights.run('a', work)).toBe(2)
  })

  it('keeps different work separate', async () => {
    const flights = new SingleFlight<string>()
    const named = ['a', 'b'].map((name) => flights.run(name, () => Promise.resolve(name)))
    expect(await Promise.all(named)).toEqual(['a', 'b'])
  })

  it('fails for all waiting callers, and starts again afterwards', async () => {
    const flights = new SingleFlight<string>()
    const fail = (): Promise<string> => Promise.reject(new Error('no'))
    const asked = [flights.run('a', fail), flights.run('a', fail)]
    for (const each of asked) await expect(each).rejects.toThrow('no')
    expect(await flights.run('a', () => Promise.resolve('yes'))).toBe('yes')
  })

  it('continues for the others after the first caller has left', async () => {
    const flights = new SingleFlight<Requester>()
    const requester: Requester = { address: 'first', isGone: () => true }
    const asked = actingFor(requester, () => flights.run('a', () => Promise.resolve(currentRequester())))
    expect(await asked).toEqual({ address: 'first', isGone: undefined })
  })
})
