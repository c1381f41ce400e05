import { WaymarkError } from '@waymark/sdk'
import { useState } from 'react'
import { api } from '../api/client.ts'

type Profile = Awaited<ReturnType<typeof api.verifySecondFactor>>['data']

interface Entered {
  readonly email: string
  readonly password: string
  readonly code: string
}

/** Signs in, in two steps where the account has a second factor. */
export function useSignInSteps() {
  const [challenge, setChallenge] = useState<string | null>(null)
  /** The profile once there is a session; null while the code is missing. */
  const signIn = async ({ email, password, code }: Entered): Promise<Profile | null> => {
    if (challenge === null) {
      const { data } = await api.signIn({ email, password })
      if (!('challenge' in data)) return data
      setChallenge(data.challenge)
      return null
    }
    try {
      return (await api.verifySecondFactor({ challenge, code })).data
    } catch (error) {
      if (error instanceof WaymarkError && error.code === 'challenge_invalid') setChallenge(null)
      throw error
    }
  }
  return { needsCode: challenge !== null, signIn, startOver: () => setChallenge(null) }
}

export const CODE_HINT = 'The 6 digits that your authenticator app shows, or a recovery code.'
