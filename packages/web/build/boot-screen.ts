import type { Plugin } from 'vite'
import { destinations } from '../src/shell/destinations.ts'

const links = destinations.map(({ to, label }) => `<a href="/app${to}">${label}</a>`).join('')

/**
 * Renders the frame of the dashboard into index.html: on a slow connection it appears, with working links, seconds before the
 * script. The early script decides which frame is shown.
 */
const html = `
      <div class="boot boot-inside">
        <div class="boot-side"><p class="boot-brand">Waymark</p><nav aria-label="Main">${links}</nav></div>
        <p class="boot-brand boot-top">Waymark</p>
        <div class="boot-main" role="status" aria-label="Loading">
          <div class="skeleton"></div><div class="skeleton"></div><div class="skeleton"></div>
        </div>
        <div class="boot-bar"><nav aria-label="Main">${links}</nav></div>
      </div>
      <div class="boot boot-outside" role="status" aria-label="Loading">
        <div class="boot-form"><p class="boot-brand">Waymark</p></div>
        <div class="boot-land"></div>
      </div>
    `

export function bootScreen(): Plugin {
  return {
    name: 'waymark:boot-screen',
    transformIndexHtml: (page) => page.replace('<div id="root"></div>', `<div id="root">${html}</div>`),
  }
}
