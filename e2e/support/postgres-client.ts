import { Client } from 'pg'

/** A connection whose end by the server is no fault of the test. */
export async function connectTo(connectionString: string | undefined): Promise<Client> {
  const client = new Client({ connectionString })
  client.on('error', () => undefined)
  await client.connect()
  return client
}
