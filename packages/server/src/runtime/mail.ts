import type { Transporter } from 'nodemailer'
import type { Logger } from 'pino'

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** Sends mail; without a server the text goes to the log, where the operator of a small instance finds it. */
export interface Mailer {
  send(mail: Mail): Promise<void>
  close(): void
}

const TIMEOUT_MS = 10_000

export function createMailer(smtpUrl: string | undefined, from: string, log: Logger): Mailer {
  if (smtpUrl === undefined) {
    return {
      send: ({ to, subject, text }) => {
        log.warn({ to, subject, text }, 'SMTP_URL is not set: this mail was not sent')
        return Promise.resolve()
      },
      close: () => {},
    }
  }
  let transport: Transporter | undefined
  /** Loaded with the first mail, for the sake of memory. */
  const open = async (): Promise<Transporter> => {
    const { createTransport } = await import('nodemailer')
    const opened: Transporter = createTransport(smtpUrl, { from })
    Object.assign(opened.options, { connectionTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS })
    return opened
  }
  return {
    send: async (mail) => {
      transport ??= await open()
      await transport.sendMail({ from, ...mail })
    },
    close: () => transport?.close(),
  }
}
