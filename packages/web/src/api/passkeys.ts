import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'

type Json = Record<string, unknown>

/** Loaded on first use: most visits need no WebAuthn. */
const library = () => import('@simplewebauthn/browser')

/** Whether this browser, at this address, can use passkeys of the instance. */
export const canUsePasskeys = (instance: { passkeys: boolean; base_url: string } | undefined): boolean =>
  instance?.passkeys === true && instance.base_url === location.origin && 'PublicKeyCredential' in window

const inWords = (error: unknown): Error => {
  const { name } = error as Error
  if (name === 'InvalidStateError') return new Error('This device already has a passkey for your account')
  if (name === 'NotAllowedError' || name === 'AbortError')
    return new Error('The passkey was not used. Try again, or choose another way')
  return error instanceof Error ? error : new Error('The passkey could not be used')
}

/** Asks the browser to create a passkey. */
export const createPasskey = async (options: Json): Promise<Json> => {
  const { startRegistration } = await library()
  try {
    const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
    return { ...(await startRegistration({ optionsJSON })) }
  } catch (error) {
    throw inWords(error)
  }
}

/** Asks the browser for a passkey that these options allow. */
export const askForPasskey = async (options: Json): Promise<Json> => {
  const { startAuthentication } = await library()
  try {
    const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON
    return { ...(await startAuthentication({ optionsJSON })) }
  } catch (error) {
    throw inWords(error)
  }
}
