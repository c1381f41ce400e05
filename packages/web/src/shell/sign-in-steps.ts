import { WaymarkError } from '@waymark/sdk'
import { useState } from 'react'
import { api } from '../api/client.ts'
import { askForPasskey } from '../api/passkeys.ts'

type Profile = Awaited<ReturnType<typeof api.verifySecondFactor>>['data']
export type SecondStep = Extract<Awaited<ReturnType<typeof api.signIn>>['data'], { challenge: string }>

interface Entered {
  readonly email: string
  readonly password: string
  readonly code: string
}

/** Signs in, in two steps if the account has a second factor. */
export function useSignInSteps(begun: SecondStep | null = null) {
  const [step, setStep] = useState<SecondStep | null>(begun)
  const verify = async (factor: { code: string } | { passkey: Record<string, unknown> }) => {
    try {
      return (await api.verifySecondFactor({ challenge: step?.challenge ?? '', ...factor })).data
    } catch (error) {
      if (error instanceof WaymarkError && error.code === 'challenge_invalid') setStep(null)
      throw error
    }
  }
  /** The profile after signing in; null while the second factor is missing. */
  const signIn = async ({ email, password, code }: Entered): Promise<Profile | null> => {
    if (step !== null) return verify({ code })
    const { data } = await api.signIn({ email, password })
    if (!('challenge' in data)) return data
    setStep(data)
    return null
  }
  /** With a passkey: as the second factor after a right password, otherwise alone. */
  const signInWithPasskey = async (): Promise<Profile> => {
    const { data } = await api.passkeySignInOptions(step === null ? {} : { challenge: step.challenge })
    const passkey = await askForPasskey(data.options)
    return step === null ? (await api.signInWithPasskey({ passkey })).data : verify({ passkey })
  }
  const methods = step?.second_factor ?? []
  return {
    needsCode: step !== null,
    takesCode: methods.some((method) => method !== 'passkey'),
    takesPasskey: methods.includes('passkey'),
    codeHint: methods.includes('totp') ? CODE_HINT : 'One of your recovery codes.',
    signIn,
    verify,
    signInWithPasskey,
    startOver: () => setStep(null),
  }
}

export const CODE_HINT = 'The 6 digits that your authenticator app shows, or a recovery code.'
