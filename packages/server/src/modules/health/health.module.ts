import { on, type Routes } from '../../api/routes.ts'
import type { Module } from '../module.ts'

const healthRoutes: Routes = [
  on('healthcheck', () =>
    Promise.resolve({
      status: 200,
      payload: { status: 'success', message: 'The system is healthy and operational' },
    }),
  ),
]

/** The published health check. */
export const healthModule: Module = { routes: healthRoutes }
