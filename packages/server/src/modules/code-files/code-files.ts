import { CodeError } from '@waymark/codes'
import type { Query } from '@waymark/contract/schemas'
import type { CodeImages, RenderedCode, StoredCode } from '../../imaging/codes/code-images.ts'
import { AppError, fieldError } from '../../net/errors.ts'
import type { BlobKeeper } from '../../storage/blobs/keeper.ts'
import { storedBarcode } from '../barcodes/barcode-look.ts'
import type { BarcodeStore } from '../barcodes/barcodes.store.ts'
import { storedQr } from '../qrcodes/qr-look.ts'
import type { QrcodeStore } from '../qrcodes/qrcodes.store.ts'

export interface CodeFilesDependencies {
  readonly qrcodes: QrcodeStore
  readonly barcodes: BarcodeStore
  readonly pictures: CodeImages
  readonly blobs: BlobKeeper
}

const DEFAULT_DPI = 300

/** What QR codes and barcodes have in common: print, and many at once. */
export class CodeFiles {
  readonly #deps: CodeFilesDependencies

  constructor(deps: CodeFilesDependencies) {
    this.#deps = deps
  }

  async print(workspaceUuid: string, query: Query<'printCode'>): Promise<RenderedCode> {
    const { uuid, format, width_mm: widthMm, dpi = DEFAULT_DPI } = query
    const code = await this.#find(workspaceUuid, uuid)
    return this.#deps.pictures.print(code, { format, widthMm, dpi }).catch((error: unknown) => {
      throw error instanceof CodeError ? fieldError('dpi', error.message) : error
    })
  }

  async #find(workspaceUuid: string, uuid: string): Promise<StoredCode> {
    const { qrcodes, barcodes, blobs } = this.#deps
    const qr = await qrcodes.find(workspaceUuid, uuid)
    if (qr !== undefined) return storedQr(qr, blobs)
    const barcode = await barcodes.find(workspaceUuid, uuid)
    if (barcode !== undefined) return storedBarcode(barcode)
    throw new AppError('not_found', { message: 'There is no such code' })
  }
}
