// Import this to measure the server as it is released: it builds the package and names it in WAYMARK_LAUNCHER, which
// everything that starts a server reads. From the sources a server takes some thirty megabytes more.
import { setup, teardown } from '../../e2e/support/build-server.ts'

await setup()
process.once('beforeExit', () => void teardown())
