import { CodeError } from '@waymark/codes'
import { LRUCache } from 'lru-cache'
import type { CodeImages, StoredCode } from '../../imaging/codes/code-images.ts'
import { type AskedPicture, keptName } from '../../imaging/codes/kept-code.ts'
import { fieldError } from '../../net/errors.ts'
import type { BlobReferences } from '../../storage/blobs/blob-references.ts'
import type { KeptPictures } from '../../storage/kept-pictures.ts'
import { SingleFlight } from '../../work/single-flight.ts'
import { storedBarcode } from '../barcodes/barcode-look.ts'
import type { BarcodeStore } from '../barcodes/barcodes.store.ts'
import { storedQr } from '../qrcodes/qr-look.ts'
import type { QrcodeStore } from '../qrcodes/qrcodes.store.ts'

interface DrawnCodesDependencies {
  readonly qrcodes: QrcodeStore
  readonly barcodes: BarcodeStore
  readonly pictures: CodeImages
  readonly blobs: BlobReferences
  readonly kept: KeptPictures
}

const MEMORY_BYTES = 16 * 1024 * 1024

/** Draws the public pictures of codes: each once for all concurrent requests, and the usual ones once for good. */
export class DrawnCodes {
  readonly #deps: DrawnCodesDependencies
  readonly #drawn = new LRUCache<string, Uint8Array>({
    maxSize: MEMORY_BYTES,
    sizeCalculation: (bytes) => bytes.length + 100,
  })
  readonly #flights = new SingleFlight<Uint8Array | undefined>()

  constructor(deps: DrawnCodesDependencies) {
    this.#deps = deps
  }

  /** Undefined if the code has been removed or changed meanwhile. */
  async draw(asked: AskedPicture): Promise<Uint8Array | undefined> {
    const key = `${asked.uuid}-${asked.version}-${asked.format}-${asked.scale}`
    return this.#drawn.get(key) ?? this.#flights.run(key, () => this.#drawOnce(key, asked))
  }

  async #drawOnce(key: string, asked: AskedPicture): Promise<Uint8Array | undefined> {
    const { pictures, kept } = this.#deps
    const code = await this.#find(asked)
    if (code === undefined) return undefined
    const { bytes } = await pictures.render(code, asked.format, asked.scale).catch(asScaleError)
    const name = keptName(asked)
    if (name === undefined) this.#drawn.set(key, bytes)
    else await kept.put(name, bytes)
    return bytes
  }

  async #find({ uuid, version }: AskedPicture): Promise<StoredCode | undefined> {
    const { qrcodes, barcodes, blobs } = this.#deps
    const qr = await qrcodes.findPublic(uuid)
    if (qr !== undefined) return qr.version === version ? storedQr(qr, blobs) : undefined
    const barcode = await barcodes.findPublic(uuid)
    return barcode?.version === version ? storedBarcode(barcode) : undefined
  }
}

const asScaleError = (error: unknown): never => {
  if (error instanceof CodeError) throw fieldError('scale', error.message)
  throw error
}
