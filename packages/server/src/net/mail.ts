import type { Transporter } from 'nodemailer'

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** Sends mail. Without `SMTP_URL` it sends nothing, and it never logs the text of a mail, which may contain a token. */
export interface Mailer {
  /** Whether mail is sent at all. */
  readonly enabled: boolean
  send(mail: Mail): Promise<void>
  close(): void
}

const TIMEOUT_MS = 10_000

export function createMailer(smtpUrl: string | undefined, from: string): Mailer {
  if (smtpUrl === undefined) return { enabled: false, send: () => Promise.resolve(), close: () => {} }
  let transport: Transporter | undefined
  /** Loads the library with the first mail, to save memory. */
  const open = async (): Promise<Transporter> => {
    const { createTransport } = await import('nodemailer')
    const opened: Transporter = createTransport(smtpUrl, { from })
    Object.assign(opened.options, { connectionTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS })
    return opened
  }
  return {
    enabled: true,
    send: async (mail) => {
      transport ??= await open()
      await transport.sendMail({ from, ...mail })
    },
    close: () => transport?.close(),
  }
}
