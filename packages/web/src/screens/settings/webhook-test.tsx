import type { Data } from '@waymark/sdk'
import { X } from 'lucide-react'
import { IconButton } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'

type Tested = Data<'testWebhook'>

/** JSON with line breaks; other text unchanged. */
const readable = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

const linesOf = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')

/** The request of a test event, and the receiver's response. */
export function WebhookTest({ tested, onClose }: { readonly tested: Tested; readonly onClose: () => void }) {
  const { request, response, error } = tested
  const sent = `${request.method} ${request.url}\n${linesOf(request.headers)}\n\n${readable(request.body)}`
  return (
    <section aria-label="Test event" className="rounded-lg border border-line">
      <header className="flex items-center justify-between gap-3 border-b border-line py-1 pr-1 pl-4">
        <h3 className="text-sm">
          Test event:{' '}
          <span className={tested.state === 'delivered' ? 'text-brand' : 'text-danger'}>
            {response === null ? (error ?? 'no response') : `response ${response.status}`}
          </span>
          {response !== null && <span className="font-normal text-faint"> in {response.duration_ms} ms</span>}
        </h3>
        <IconButton label="Close test result" icon={X} onClick={onClose} />
      </header>
      <div className="grid gap-px bg-line lg:grid-cols-2">
        <Message title="Request" text={sent} />
        <Message
          title="Response"
          text={
            response === null
              ? (error ?? 'The receiver did not respond.')
              : `HTTP ${response.status}\n${linesOf(response.headers)}\n\n${readable(response.body)}`
          }
        />
      </div>
    </section>
  )
}

function Message({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <div className="min-w-0 bg-surface p-3">
      <p className="flex items-center justify-between">
        <span className="eyebrow">{title}</span>
        <CopyButton text={text} label={null} what={title.toLowerCase()} />
      </p>
      <pre
        tabIndex={0}
        aria-label={title}
        className="max-h-72 overflow-auto font-mono text-xs leading-relaxed whitespace-pre-wrap wrap-anywhere"
      >
        {text}
      </pre>
    </div>
  )
}
