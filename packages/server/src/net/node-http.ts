/*
 * An import of node:http evaluates all its exports, and three of them load undici, which the server does not use: 55 ms of
 * processor time at every start. A test rejects imports of node:http in the server.
 */
export const { createServer, request, STATUS_CODES } = process.getBuiltinModule('node:http')
