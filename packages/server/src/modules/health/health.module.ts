import type { Module } from '../module.ts'
import { healthRoutes } from './health.routes.ts'

/** The published health check. */
export const healthModule: Module = { routes: healthRoutes }
