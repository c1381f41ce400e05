import type { Plugin } from 'vite'
import { destinations } from '../src/shell/destinations.ts'

const links = destinations.map(({ to, label }) => `<a href="/app${to}">${label}</a>`).join('')

/**
 * Draws the frame of the dashboard into index.html: on a slow line it is there, with working links, seconds before the
 * script. Which frame is shown, the early script decides.
 */
const html = `
      <div class="boot boot-inside">
        <div class="boot-side"><nav aria-label="Main">${links}</nav></div>
        <div class="boot-main" role="status" aria-label="Loading">
          <div class="skeleton"></div><div class="skeleton"></div><div class="skeleton"></div>
        </div>
        <nav class="boot-bar" aria-label="Main">${links}</nav>
      </div>
      <div class="boot boot-outside" role="status">
        <p class="plate plate-strong">Waymark</p>
        <p>Loading…</p>
      </div>
    `

export function bootScreen(): Plugin {
  return {
    name: 'waymark:boot-screen',
    transformIndexHtml: (page) => page.replace('<div id="root"></div>', `<div id="root">${html}</div>`),
  }
}
