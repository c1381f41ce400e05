import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

export interface Mailbox {
  readonly url: string
  /** Every mail that has come, whole, without the line breaks of its encoding. */
  readonly mails: string[]
  close(): Promise<void>
}

/** A real mail server that keeps what it gets. */
export async function openMailbox(): Promise<Mailbox> {
  const mails: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _session, done) => {
      text(stream).then(
        (mail) => {
          mails.push(mail.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '='))
          done()
        },
        (error: Error) => done(error),
      )
    },
  })
  // A server that is killed in the middle of a mail closes its connection.
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
