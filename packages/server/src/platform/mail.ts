import { createTransport } from 'nodemailer'
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
  const transport = createTransport(smtpUrl, { from })
  Object.assign(transport.options, { connectionTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS })
  return {
    send: async (mail) => {
      await transport.sendMail({ from, ...mail })
    },
    close: () => transport.close(),
  }
}
