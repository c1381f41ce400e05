import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Turns } from '../runtime/turns.ts'

/** Hands a request to Fastify. */
export type PassOn = (request: IncomingMessage, response: ServerResponse) => void

/** Handles a request before Fastify sees it. False: Fastify handles it; it may also be passed on later. */
export type Front = (request: IncomingMessage, response: ServerResponse, passOn: PassOn) => boolean

/** Registers routes outside `/v1`. */
export type Site = (app: FastifyInstance) => void

/** Handles what it can at the socket and leaves every other connection to the server, in turns. */
export type TakeConnections = (server: Server, isClosing: () => boolean, starts: Turns) => void

/** Requests of one connection without a response, after which no more are read. */
export const MAX_OUTSTANDING = 32
