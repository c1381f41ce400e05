import { type Body, type Data, type FieldErrors, schemas, validate } from '@waymark/contract/schemas'
import type { z } from 'zod'
import type { Quotas } from '../../accounts/users/quotas.ts'
import { laneRules } from '../../net/admission/lanes.ts'
import { atPlace, rejectInvalid } from '../../net/errors.ts'
import type { Database } from '../../storage/db/database.ts'
import { longWork } from '../../work/turns.ts'
import type { BarcodeService, DrawnBarcode } from '../barcodes/barcodes.service.ts'
import type { DrawnQr, QrcodeService } from '../qrcodes/qrcodes.service.ts'

export interface ManyCodesDependencies {
  readonly db: Database
  readonly quotas: Quotas
  readonly qrcodes: QrcodeService
  readonly barcodes: BarcodeService
}

type Given = Body<'generateCodes'>

/** The lists of a request, some of whose items may be invalid. */
interface Lists {
  readonly qrcodes?: readonly unknown[] | null | undefined
  readonly barcodes?: readonly unknown[] | null | undefined
}

/** Drawn and proven codes before their transaction. */
export interface DrawnCodes {
  readonly qrcodes: readonly DrawnQr[]
  readonly barcodes: readonly DrawnBarcode[]
}

/** Creates many codes, all or none; errors include the place in the list. */
export class ManyCodes {
  readonly #deps: ManyCodesDependencies

  constructor(deps: ManyCodesDependencies) {
    this.#deps = deps
  }

  /** Errors of valid items that their schemas cannot detect, by place. Other items were named already. */
  alsoInvalid({ qrcodes = [], barcodes = [] }: Lists): Promise<FieldErrors> {
    const valid = <Schema extends z.ZodType>(schema: Schema, items: readonly unknown[] | null) =>
      (items ?? []).map((item) => {
        const result = validate(schema, item)
        return result.ok ? result.value : undefined
      })
    return this.#invalid(
      valid(schemas.generateQr.body, qrcodes),
      valid(schemas.generateBarcode.body, barcodes),
    )
  }

  async #invalid(
    qrs: readonly (Body<'generateQr'> | undefined)[],
    bars: readonly (Body<'generateBarcode'> | undefined)[],
  ): Promise<FieldErrors> {
    const { qrcodes, barcodes } = this.#deps
    const invalid: FieldErrors = {}
    const addErrors = (place: string, faults: FieldErrors): void => {
      for (const [field, texts] of Object.entries(faults)) invalid[`${place}.${field}`] = texts
    }
    await each('qrcodes', qrs, async (input, at) => {
      if (input !== undefined) addErrors(`qrcodes.${at}`, await qrcodes.alsoInvalid(input))
    })
    await each(
      'barcodes',
      bars,
      async (input, at) => {
        if (input !== undefined) addErrors(`barcodes.${at}`, await barcodes.undrawable(input))
      },
      laneRules.proofs.share,
    )
    return invalid
  }

  /** Draws and proves all codes behind the admission gate, after all cheap checks. */
  async draw(workspaceUuid: string, given: Given): Promise<DrawnCodes> {
    const { quotas, qrcodes, barcodes } = this.#deps
    const [qrs, bars] = [given.qrcodes ?? [], given.barcodes ?? []]
    rejectInvalid(await this.#invalid(qrs, bars))
    await quotas.check(workspaceUuid, 'qrcodes', qrs.length)
    await quotas.check(workspaceUuid, 'barcodes', bars.length)
    const drawn = { qrcodes: [] as DrawnQr[], barcodes: [] as DrawnBarcode[] }
    try {
      await each(
        'qrcodes',
        qrs,
        async (input, at) => (drawn.qrcodes[at] = await qrcodes.draw(input)),
        laneRules.proofs.share,
      )
      await each(
        'barcodes',
        bars,
        async (input, at) => (drawn.barcodes[at] = await barcodes.draw(input)),
        laneRules.proofs.share,
      )
      return drawn
    } catch (error) {
      // Discard those that were drawn; failed ones leave gaps.
      await this.discard({ ...drawn, qrcodes: Object.values(drawn.qrcodes) })
      throw error
    }
  }

  async discard({ qrcodes }: DrawnCodes): Promise<void> {
    for (const drawn of qrcodes) await this.#deps.qrcodes.discard(drawn)
  }

  async create(workspaceUuid: string, given: Given, drawn: DrawnCodes): Promise<Data<'generateCodes'>> {
    const { db, qrcodes, barcodes } = this.#deps
    return db.write(async () => {
      const created: Data<'generateCodes'> = { qrcodes: [], barcodes: [] }
      for (const [at, one] of drawn.qrcodes.entries()) {
        created.qrcodes.push(await qrcodes.create(workspaceUuid, given.qrcodes?.[at]?.description, one))
        await longWork.rest()
      }
      for (const [at, one] of drawn.barcodes.entries()) {
        created.barcodes.push(await barcodes.create(workspaceUuid, given.barcodes?.[at]?.description, one))
        await longWork.rest()
      }
      return created
    })
  }
}

/** Processes a list, some items at a time. After an error it starts no further item. */
async function each<Item>(
  list: string,
  items: readonly Item[],
  work: (item: Item, at: number) => Promise<unknown>,
  atOnce = 1,
): Promise<void> {
  const rest = items.entries()
  let fault: { readonly error: unknown } | undefined
  const runner = async (): Promise<void> => {
    for (const [at, item] of rest) {
      if (fault !== undefined) return
      try {
        await work(item, at)
      } catch (error) {
        fault ??= { error: atPlace(error, `${list}.${at}`) }
      }
      await longWork.rest()
    }
  }
  await Promise.all(Array.from({ length: atOnce }, runner))
  if (fault !== undefined) throw fault.error
}
