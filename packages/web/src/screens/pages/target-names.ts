import type { Page } from '@waymark/sdk'

type Names = ReadonlyMap<string, string>

const capitalised = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

/** The names of what can be clicked on a page, by the ids under which clicks are counted. */
export const targetNames = (
  page: Pick<Page, 'buttons' | 'socialIcons'>,
): { readonly buttons: Names; readonly icons: Names } => ({
  buttons: new Map(page.buttons.map(({ id, label }) => [String(id), label])),
  icons: new Map(page.socialIcons.map(({ name }, index) => [String(index), capitalised(name)])),
})
