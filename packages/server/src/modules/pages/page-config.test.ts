import { UploadedFile } from '@waymark/contract'
import { describe, expect, it } from 'vitest'
import { filesOf, type PageChanges, type PageContent, type PageCreate, readPage } from './page-config.ts'

const mediaUrl = (hash: string): string => `https://way.example/m/${hash}.webp`

const file = (hash: string): UploadedFile => {
  const upload = new UploadedFile({ path: '', size: 1, filename: 'x.png' })
  upload.image = { hash, bytes: new Uint8Array(), width: 4, height: 3, format: 'webp', source: 'png' }
  return upload
}

const least = { title: 'T', slug: 's', logoPosition: 'top-left', buttons: [{ label: 'b' }] } as const
const read = (fields: Partial<PageCreate>, before?: PageContent): PageContent =>
  readPage({ ...least, images: [], ...fields } as PageCreate, before, mediaUrl)
const change = (fields: Partial<PageChanges>, before: PageContent): PageContent =>
  readPage({ ...least, uuid: 'u', ...fields } as PageChanges, before, mediaUrl)

const errorsOf = (work: () => unknown): unknown => {
  try {
    work()
    return undefined
  } catch (error) {
    return (error as { errors: unknown }).errors
  }
}

describe('names of both schemas', () => {
  it('are equivalent', () => {
    const { config, subtext } = read({ subtitle: 's', theme: { bg: '#111111', socialColor: '#222222' } })
    expect(subtext).toBe('s')
    expect(config.theme).toMatchObject({ bgColor: '#111111', socialIconColor: '#222222', textColor: null })
    expect(read({ socialIcons: [{ icon: 'youtube' }] }).config.socialIcons).toEqual([
      { name: 'youtube', link: null, bg: null },
    ])
  })

  it('take precedence by kind of request if they contradict each other', () => {
    const both = { bg: '#111111', bgColor: '#222222' }
    expect(read({ theme: both, subtext: 'form', subtitle: 'nested' })).toMatchObject({
      subtext: 'form',
      config: { theme: { bgColor: '#222222' } },
    })
    expect(read({ theme: both, subtext: 'form', subtitle: 'nested', logoStatus: 1 })).toMatchObject({
      subtext: 'nested',
      config: { theme: { bgColor: '#111111' } },
    })
  })

  it('count if the other one is null', () => {
    expect(read({ subtext: null, subtitle: 'x' }).subtext).toBe('x')
    expect(read({ theme: { bgColor: null, bg: '#111111' } }).config.theme.bgColor).toBe('#111111')
  })

  it('yield to a change under the other name when a page is sent back', () => {
    const before = read({ subtext: 'old', theme: { bgColor: '#111111' } })
    const theme = { bgColor: '#333333', bg: '#111111' }
    for (const logoStatus of [undefined, 1] as const)
      expect(change({ theme, subtext: 'new', subtitle: 'old', logoStatus }, before)).toMatchObject({
        subtext: 'new',
        config: { theme: { bgColor: '#333333' } },
      })
  })

  it('have no gradient if neither end has a colour', () => {
    expect(read({ theme: { bggradient: [null, null] } }).config.theme.bggradient).toBeNull()
    const half: [string, null] = ['#111111', null]
    expect(read({ theme: { bggradient: half } }).config.theme.bggradient).toEqual(half)
  })

  it('the last of several themes wins, with either name', () => {
    const { theme } = read({
      theme: [{ bgColor: '#111111', textColor: '#222222' }, { bg: '#333333' }, { textColor: null }],
    }).config
    expect([theme.bgColor, theme.textColor]).toEqual(['#333333', null])
  })
})

describe('ids', () => {
  it('are kept if given, otherwise the smallest free ones', () => {
    const { buttons } = read({ buttons: [{ label: 'a' }, { id: 1, label: 'b' }, { label: 'c' }] }).config
    expect(buttons.map(({ id }) => id)).toEqual([2, 1, 3])
  })

  it('must differ', () => {
    const twice = [
      { id: 5, label: 'a' },
      { id: 5, label: 'b' },
    ]
    expect(errorsOf(() => read({ buttons: twice }))).toEqual({ 'buttons.1.id': ['Must not be used twice'] })
  })
})

describe('pictures of an edit', () => {
  const before = read({
    images: [file('aaa'), { src: 'https://other.example/x.png', title: 'X' }, file('bbb')],
    logo: file('logo'),
  })

  it('stay if omitted', () => {
    expect(change({}, before).config).toEqual(before.config)
    expect([...filesOf(before.config)]).toEqual(['logo', 'aaa', 'bbb'])
  })

  it('are kept by id or by the returned URL, and can be hidden or renamed', () => {
    const { images } = change(
      { images: [{ id: 3, status: 0 }, { src: mediaUrl('aaa'), title: 'A' }, { id: 2 }] },
      before,
    ).config
    expect(images).toEqual([
      { id: 3, status: 0, title: null, picture: { hash: 'bbb', width: 4, height: 3 }, src: null },
      { id: 1, status: 1, title: 'A', picture: { hash: 'aaa', width: 4, height: 3 }, src: null },
      { id: 2, status: 1, title: 'X', picture: null, src: 'https://other.example/x.png' },
    ])
  })

  it('are replaced if the same id has another URL', () => {
    const { images } = change({ images: [{ id: 1, src: 'https://new.example/y.png' }] }, before).config
    expect(images).toEqual([
      { id: 1, status: 1, title: null, picture: null, src: 'https://new.example/y.png' },
    ])
  })

  it('need a URL if they are unknown', () => {
    expect(errorsOf(() => change({ images: [{ id: 9 }, { title: 'x' }] }, before))).toEqual({
      'images.0.src': ['This field is required'],
      'images.1.src': ['This field is required'],
    })
  })

  it('are replaced by uploads, and cleared by null', () => {
    expect([...filesOf(change({ images: [file('ccc')] }, before).config)]).toEqual(['logo', 'ccc'])
    expect(change({ images: null, logo: null }, before).config).toMatchObject({ images: [], logo: null })
  })
})
