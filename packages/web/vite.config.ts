import tailwind from '@tailwindcss/vite'
import { defineConfig } from 'vite'
import { bootScreen } from './build/boot-screen.ts'
import { compress } from './build/compress.ts'
import { docsScript } from './build/docs-script.ts'
import { earlyScript } from './build/early-script.ts'
import { preact } from './build/preact.ts'
import { printSizes } from './build/print-sizes.ts'
import { separateEncoders } from './build/separate-encoders.ts'

export default defineConfig({
  base: '/app/',
  root: import.meta.dirname,
  plugins: [
    preact(),
    tailwind(),
    separateEncoders(),
    bootScreen(),
    earlyScript('src/shell/early-theme.js'),
    docsScript('src/docs/docs.ts'),
    compress(),
    printSizes(),
  ],
  build: {
    target: 'es2023',
    manifest: true,
    // A strict content security policy allows no inline data except images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // Without these every shared icon would be a file and a request of its own. Left out of the first load is what
        // only forms need.
        codeSplitting: {
          groups: [
            { name: 'vendor', test: /node_modules[\\/](?:preact|@tanstack)[\\/]/ },
            {
              name: 'kit',
              test: /web[\\/]src[\\/](?:api|forms|shell|ui)[\\/](?!color-field|combo-field|commands|confirm|draft-notice|file-drop|local-times|members|moment-field|palette|picked-files|reorder|tags-field|trash|upload-progress|use-draft|use-media|use-paused|webhooks)|lucide-react|[\\/]sdk[\\/]/,
              minShareCount: 2,
            },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    proxy: { '^/(v1|i|m|p|docs|openapi\\.json)(/|$|\\?)': process.env['WAYMARK'] ?? 'http://localhost:3000' },
  },
})
