import { profileQuery } from '../../api/account.ts'
import { chosenWorkspace } from '../../api/chosen-workspace.ts'
import { queryClient } from '../../api/query-client.ts'
import type { UtmValues } from './utm-values.ts'

/** A campaign without its destination. */
export interface Template {
  readonly name: string
  readonly values: Omit<UtmValues, 'url'>
}

/** Templates belong to a user and a workspace, and are stored in this browser. */
const keyOf = (): string => {
  const { email = '' } = queryClient.getQueryData(profileQuery.queryKey) ?? {}
  return `waymark.utm-templates.${email}.${chosenWorkspace() ?? ''}`
}

export const readTemplates = (): readonly Template[] => {
  try {
    const templates: unknown = JSON.parse(localStorage.getItem(keyOf()) ?? '[]')
    return Array.isArray(templates) ? (templates as Template[]) : []
  } catch {
    return []
  }
}

/** False if the browser does not store anything. */
const write = (templates: readonly Template[]): boolean => {
  try {
    localStorage.setItem(keyOf(), JSON.stringify(templates))
    return true
  } catch {
    return false
  }
}

/** Replaces the template of the same name. */
export const saveTemplate = (template: Template): boolean =>
  write([...readTemplates().filter(({ name }) => name !== template.name), template])

export const removeTemplate = (name: string): boolean =>
  write(readTemplates().filter((template) => template.name !== name))
