import { on, type Routes } from '../../api/routes.ts'

export const healthRoutes: Routes = [
  on('healthcheck', () =>
    Promise.resolve({
      status: 200,
      payload: { status: 'success', message: 'The system is healthy and operational' },
    }),
  ),
]
