import { pooledRandom } from '../../runtime/random.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const LENGTH = 7
/** Bytes from here on would make the first letters likelier than the others. */
const UNBIASED = 256 - (256 % ALPHABET.length)

/** A random short code: 7 characters of base 62. */
export const randomShortCode = (): string => {
  let shortCode = ''
  while (shortCode.length < LENGTH) {
    for (const byte of pooledRandom(LENGTH + 4)) {
      if (byte < UNBIASED && shortCode.length < LENGTH) shortCode += ALPHABET[byte % ALPHABET.length]
    }
  }
  return shortCode
}
