import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { prepareZXingModule, readBarcodes, type ReadResult } from 'zxing-wasm/reader'

const wasmBinary = readFileSync(fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm')))
prepareZXingModule({ overrides: { wasmBinary: wasmBinary.buffer } })

/** What a scanner finds in a picture, with its content type and symbology identifier. */
export async function scan(png: Uint8Array): Promise<ReadResult | undefined> {
  const options = { tryHarder: true, maxNumberOfSymbols: 1 }
  const [found] = await readBarcodes(new Blob([new Uint8Array(png)]), options)
  return found?.isValid === true ? found : undefined
}

/** What a picture says to a scanner; undefined when it says nothing. */
export const decode = async (png: Uint8Array): Promise<string | undefined> => (await scan(png))?.text
