import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'

const wasmBinary = readFileSync(fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm')))
prepareZXingModule({ overrides: { wasmBinary: wasmBinary.buffer } })

/** What a picture says to a scanner; undefined when it says nothing. */
export async function decode(png: Uint8Array): Promise<string | undefined> {
  const [found] = await readBarcodes(new Blob([new Uint8Array(png)]), {
    tryHarder: true,
    maxNumberOfSymbols: 1,
  })
  return found?.isValid === true ? found.text : undefined
}
