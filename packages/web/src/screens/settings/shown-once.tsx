import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Segments } from '../../ui/choices.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'

/** A value to be stored elsewhere, with a button that copies it. */
export function ShownOnce({
  label,
  value,
  onCopied,
}: {
  readonly label: string
  readonly value: string
  readonly onCopied?: () => void
}) {
  return (
    <div>
      <p className="eyebrow mb-1">{label}</p>
      <p className="flex items-center gap-2 rounded-md border border-line bg-sunken py-1 pr-1 pl-3">
        <code className="min-w-0 flex-1 text-sm font-semibold wrap-anywhere">{value}</code>
        <CopyButton text={value} label={null} what={label} onCopied={onCopied} />
      </p>
    </div>
  )
}

interface Example {
  readonly language: string
  readonly text: string
}

/** A new key or token with its secret, which is not shown again, and an example request. */
export function SecretDialog({
  title,
  noun,
  name,
  secret,
  examples,
  onClose,
}: {
  readonly title: string
  /** The name of the secret. */
  readonly noun: string
  /** A public value that belongs to the secret. */
  readonly name?: { readonly label: string; readonly value: string }
  readonly secret: { readonly label: string; readonly value: string }
  readonly examples: readonly [Example, ...Example[]]
  readonly onClose: () => void
}) {
  const [isStored, setIsStored] = useState(false)
  const [language, setLanguage] = useState(examples[0].language)
  const { text } = examples.find((example) => example.language === language) ?? examples[0]
  const store = (): void => setIsStored(true)
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={title}
      isWide
      isLocked={!isStored}
      footer={
        <Button look="primary" onClick={onClose}>
          {isStored ? 'Done' : 'I have stored it'}
        </Button>
      }
    >
      <div className="space-y-5">
        <Notice kind="warn">Copy the {noun} now. It is not shown again.</Notice>
        {name !== undefined && <ShownOnce {...name} />}
        <ShownOnce {...secret} onCopied={store} />
        <div>
          <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
            {examples.length === 1 ? (
              <p className="eyebrow">Try it</p>
            ) : (
              <Segments
                label="Example language"
                hasHiddenLabel
                value={language}
                onValue={setLanguage}
                options={examples.map((example) => ({ value: example.language, label: example.language }))}
              />
            )}
            <CopyButton text={text} what="example" onCopied={store} />
          </div>
          <pre
            tabIndex={0}
            aria-label="Example"
            className="overflow-x-auto rounded-md bg-sunken p-4 font-mono text-xs leading-relaxed"
          >
            {text}
          </pre>
        </div>
      </div>
    </Dialog>
  )
}
