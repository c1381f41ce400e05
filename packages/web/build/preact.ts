import type { Plugin } from 'vite'

/** The imports of React that Preact replaces. docs/adr/0026-preact.md has the reason. */
const REPLACED: Readonly<Record<string, string>> = {
  react: 'preact/compat',
  'react-dom': 'preact/compat',
  'react-dom/client': 'preact/compat/client',
  'react/jsx-runtime': 'preact/jsx-runtime',
  'react/jsx-dev-runtime': 'preact/jsx-dev-runtime',
}

/** Builds the dashboard, and the libraries that it uses, with Preact instead of React. */
export function preact(): Plugin {
  return {
    name: 'waymark:preact',
    config: () => ({
      resolve: {
        alias: Object.entries(REPLACED).map(([find, replacement]) => ({
          find: new RegExp(`^${find}$`),
          replacement,
        })),
      },
    }),
    // Libraries mark what React must not run on a server ("use client"), which means nothing here.
    onLog: (_level, { code }) => (code === 'MODULE_LEVEL_DIRECTIVE' ? false : null),
  }
}
