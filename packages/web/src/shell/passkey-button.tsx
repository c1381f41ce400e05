import { KeyRound, LogIn, type LucideIcon } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { sentenceOf } from '../api/client.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { type OidcPurpose, onReturn, openProvider } from './oidc.ts'

interface SignInButtonProps {
  readonly label: string
  readonly look?: 'plain' | 'primary'
  readonly onUse: () => Promise<void>
}

/** A button that asks for a passkey. */
export const PasskeyButton = (props: SignInButtonProps) => <SignInButton icon={KeyRound} {...props} />

/** A button that leads to the OpenID provider. */
export const ProviderButton = (props: SignInButtonProps) => <SignInButton icon={LogIn} {...props} />

/** A button that opens the OpenID provider in a separate window; `onDone` runs when the user has signed in there. */
export function ProviderWindowButton({
  label,
  purpose,
  begin,
  onDone,
}: {
  readonly label: string
  readonly purpose: OidcPurpose
  readonly begin: Parameters<typeof openProvider>[0]
  readonly onDone: () => Promise<void>
}) {
  const [failure, setFailure] = useState<string | null>(null)
  const returned = useEffectEvent((reason: string | null) => {
    setFailure(reason)
    if (reason === null) onDone().catch((error: unknown) => setFailure(sentenceOf(error)))
  })
  useEffect(() => onReturn(purpose, (reason) => returned(reason)), [purpose])
  const use = async (): Promise<void> => {
    setFailure(null)
    await openProvider(begin)
  }
  return <SignInButton icon={LogIn} label={label} failure={failure} onUse={use} />
}

/** A button with its error message above. `failure`: of what the button has started. */
function SignInButton({
  label,
  look = 'plain',
  icon: Icon,
  failure: laterFailure = null,
  onUse,
}: SignInButtonProps & { readonly icon: LucideIcon; readonly failure?: string | null }) {
  const [isBusy, setIsBusy] = useState(false)
  const [ownFailure, setFailure] = useState<string | null>(null)
  const failure = ownFailure ?? laterFailure
  const use = async (): Promise<void> => {
    setIsBusy(true)
    setFailure(null)
    try {
      await onUse()
    } catch (error) {
      setFailure(sentenceOf(error))
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <div className="space-y-3">
      {failure !== null && <Notice kind="warn">{failure}</Notice>}
      <Button look={look} isBusy={isBusy} onClick={() => void use()} className="min-h-11 w-full">
        <Icon aria-hidden size={18} /> {label}
      </Button>
    </div>
  )
}
