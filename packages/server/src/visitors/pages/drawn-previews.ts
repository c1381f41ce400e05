import { LRUCache } from 'lru-cache'
import { admission } from '../../net/admission/lanes.ts'
import { SingleFlight } from '../../work/single-flight.ts'
import { bufferOf, Threads } from '../../work/threads.ts'
import type { Preview } from './preview-picture.ts'
import type * as work from './preview-picture.worker.ts'

const KEPT_BYTES = 16 * 1024 * 1024

/** The drawing itself is small; the stored pictures in it have at most 2560 pixels per side. */
const PREVIEW_PIXELS = 8_000_000

const thread = new Threads<typeof work>(new URL('./preview-picture.worker.ts', import.meta.url), {
  idleMs: 10_000,
  limitMs: 30_000,
})

/** Share pictures, each drawn once for any number of requests. */
export class DrawnPreviews {
  readonly #cache = new LRUCache<string, Buffer>({
    maxSize: KEPT_BYTES,
    sizeCalculation: (bytes) => bytes.length + 100,
  })
  readonly #flights = new SingleFlight<Buffer>()

  /** `key` names the version of what is drawn. */
  async get(key: string, contentOf: () => Preview | Promise<Preview>): Promise<Buffer> {
    return this.#cache.get(key) ?? this.#flights.run(key, () => this.#draw(key, contentOf))
  }

  async #draw(key: string, contentOf: () => Preview | Promise<Preview>): Promise<Buffer> {
    const content = await contentOf()
    const draw = () => thread.run('drawPreview', content)
    const bytes = bufferOf(await admission.run('drawing', draw, { units: PREVIEW_PIXELS }))
    this.#cache.set(key, bytes)
    return bytes
  }
}
