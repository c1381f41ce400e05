import { KeyRound, LogIn, type LucideIcon } from 'lucide-react'
import { useState } from 'react'
import { sentenceOf } from '../api/client.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'

interface SignInButtonProps {
  readonly label: string
  readonly look?: 'plain' | 'primary'
  readonly onUse: () => Promise<void>
}

/** A button that asks for a passkey. */
export const PasskeyButton = (props: SignInButtonProps) => <SignInButton icon={KeyRound} {...props} />

/** A button that leads to the OpenID provider. */
export const ProviderButton = (props: SignInButtonProps) => <SignInButton icon={LogIn} {...props} />

/** A button with its error message above. */
function SignInButton({
  label,
  look = 'plain',
  icon: Icon,
  onUse,
}: SignInButtonProps & { readonly icon: LucideIcon }) {
  const [isBusy, setIsBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
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
