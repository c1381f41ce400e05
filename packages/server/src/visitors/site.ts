import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** Hands a request to Fastify. */
export type PassOn = (request: IncomingMessage, response: ServerResponse) => void

/** Answers a request before Fastify sees it. False: Fastify handles it; it may also be passed on later. */
export type Front = (request: IncomingMessage, response: ServerResponse, passOn: PassOn) => boolean

/** Registers routes outside `/v1`. */
export type Site = (app: FastifyInstance) => void

/** Answers at the socket what it can and leaves every other connection to the server. */
export type TakeConnections = (server: Server, isClosing: () => boolean) => void
