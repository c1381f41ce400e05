import { readFileSync } from 'node:fs'
import { OperatorError } from '../../net/errors.ts'
import { parsePlans, type Plans } from './plans.ts'

/** One line: an error of a failed schema lists every issue in many lines. */
const planFault = (error: unknown): string => {
  const { issues, message } = error as Error & { issues?: { path: PropertyKey[]; message: string }[] }
  if (issues === undefined) return message
  return issues
    .map(({ path, message: text }) => (path.length === 0 ? text : `${path.map(String).join('.')}: ${text}`))
    .join('; ')
}

/** The plans in PLANS_FILE; one without limits if there is no such file. */
export function readPlansFile(path: string | undefined): Plans {
  if (path === undefined) return parsePlans(undefined)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    throw fault(`names a file that cannot be read: ${path}`)
  }
  try {
    return parsePlans(JSON.parse(text))
  } catch (error) {
    throw fault(`is not a list of plans: ${planFault(error)}`)
  }
}

/** In one line: it may quote a name of a file or a value, which can have several. */
const fault = (rule: string): OperatorError => new OperatorError(`PLANS_FILE ${rule}`.replaceAll(/\s+/g, ' '))
