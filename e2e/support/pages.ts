import sharp from 'sharp'
import { type Answered, type Encoded, multipart, type Part } from './requests.ts'

/** What a person's browser says of itself; without it a visit counts as a machine's. */
export const BROWSER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36'

/** A small PNG of one colour. */
export const picture = (background = '#c05020', width = 60, height = 40): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer()

/** An upload of a picture. */
export const upload = (name: string, value: Uint8Array): Part => ({
  name,
  value,
  filename: 'picture.png',
  type: 'image/png',
})

let slugs = 0

/** A slug that nothing else uses. */
export const newSlug = (): string => `page-${process.pid}-${++slugs}`

/** The least that the form schema asks of a new page. */
export const leastForm = async (slug: string): Promise<Part[]> => [
  { name: 'title', value: 'A page' },
  { name: 'slug', value: slug },
  { name: 'logoPosition', value: 'top-left' },
  upload('images[]', await picture()),
  { name: 'buttons[][label]', value: 'Go' },
]

/** The same with more fields, or others. */
export const pageForm = async (slug: string, more: readonly Part[] = []): Promise<Encoded> => {
  const names = new Set(more.map(({ name }) => name))
  return multipart([...(await leastForm(slug)).filter(({ name }) => !names.has(name)), ...more])
}

/** The least that the nested structure asks of a new page. */
export const leastNested = (slug: string): Record<string, unknown> => ({
  title: 'A page',
  slug,
  domain: 'localhost',
  logoStatus: 1,
  logoPosition: 'top-left',
  theme: { bggradient: ['#102030', '#405060'] },
})

/** The wrong fields of a refusal. */
export const wrongFields = ({ body }: Answered): string[] =>
  Object.keys((body as { errors?: object }).errors ?? {}).toSorted()

/** Asks until the answer is what is waited for. The time only ends a wait that would never end. */
export async function until<T>(
  ask: () => Promise<T>,
  isRight: (answer: T) => boolean,
  ms = 60_000,
): Promise<T> {
  const deadline = Date.now() + ms
  for (;;) {
    const answer = await ask()
    if (isRight(answer) || Date.now() > deadline) return answer
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Files go a moment after what they belonged to. */
export const statusOnceGone = (address: string): Promise<number> =>
  until(
    async () => (await fetch(address)).status,
    (status) => status !== 200,
  )
