import type { NewApiKey } from '@waymark/sdk'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Segments } from '../../ui/choices.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { curlExample, sdkExample } from './key-examples.ts'
import { ShownOnce } from './shown-once.tsx'

/** A new key, this once with its secret, and what to do with it. */
export function NewKey({ made, onClose }: { readonly made: NewApiKey | null; readonly onClose: () => void }) {
  const [storedUuid, setStoredUuid] = useState('')
  const isStored = made?.uuid === storedUuid
  const [language, setLanguage] = useState<'curl' | 'sdk'>('curl')
  const example =
    made === null
      ? ''
      : (language === 'curl' ? curlExample : sdkExample)(location.origin, made.api_key, made.secret)
  return (
    <Dialog
      isOpen={made !== null}
      onClose={onClose}
      title="New API key"
      isWide
      isLocked={!isStored}
      footer={
        <Button look="primary" onClick={onClose}>
          {isStored ? 'Done' : 'I have stored it'}
        </Button>
      }
    >
      {made !== null && (
        <div className="space-y-5">
          <Notice kind="warn">Copy the secret now. It is not shown again.</Notice>
          <ShownOnce label="API key" value={made.api_key} />
          <ShownOnce label="Secret" value={made.secret} onCopied={() => setStoredUuid(made.uuid)} />
          <div>
            <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
              <Segments
                label="Example language"
                hasHiddenLabel
                value={language}
                onValue={setLanguage}
                options={[
                  { value: 'curl', label: 'curl' },
                  { value: 'sdk', label: 'TypeScript' },
                ]}
              />
              <CopyButton text={example} what="example" onCopied={() => setStoredUuid(made.uuid)} />
            </div>
            <pre
              tabIndex={0}
              aria-label="Example"
              className="overflow-x-auto rounded-md bg-sunken p-4 font-mono text-xs leading-relaxed"
            >
              {example}
            </pre>
          </div>
        </div>
      )}
    </Dialog>
  )
}
