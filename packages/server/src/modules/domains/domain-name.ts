import { isIP } from 'node:net'

/** Scripts whose letters pass for each other's. */
const LOOK_ALIKE = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /\p{Script=Armenian}/u]

const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/

/** The ASCII form of a domain name, or the sentence that says why it is none. */
export function readDomainName(input: string): { name: string } | { fault: string } {
  const typed = input.trim().toLowerCase().replace(/\.$/, '')
  if (/[/\\:@?#%\s[\]]/.test(typed))
    return { fault: 'Must be a name such as go.example.com, without http:// or a path' }
  const name = URL.parse(`http://${typed}`)?.hostname ?? ''
  const labels = name.split('.')
  if (
    name === '' ||
    isIP(name) !== 0 ||
    labels.length < 2 ||
    name.length > 253 ||
    !labels.every((label) => LABEL.test(label))
  )
    return { fault: 'Must be a name such as go.example.com' }
  if (/^\d+$/.test(labels.at(-1) ?? '')) return { fault: 'Must be a name such as go.example.com' }
  if (typed.split('.').some(mixesScripts)) return { fault: 'Must not mix alphabets that look alike' }
  return { name }
}

const mixesScripts = (label: string): boolean => LOOK_ALIKE.filter((script) => script.test(label)).length > 1
