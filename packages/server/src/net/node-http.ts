/*
 * An import of node:http reads all its exports, and three of them load undici, Node's fetch, which the server does not
 * use: 55 ms of processor time at every start. A test keeps the import out of the server.
 */
export const { createServer, request, STATUS_CODES } = process.getBuiltinModule('node:http')
