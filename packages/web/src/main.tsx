import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api/query-client.ts'
import { router } from './router.tsx'
import { ToastRegion } from './shell/toast-region.tsx'
import { pruneDrafts } from './forms/drafts.ts'
import './prompt-effects.ts'
import './styles/index.css'

pruneDrafts('old')

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')
const app = (
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <ToastRegion />
    </QueryClientProvider>
  </StrictMode>
)
// The frame of index.html stays until the first screen, or its error, can replace it.
void router.load().finally(() => createRoot(root).render(app))
