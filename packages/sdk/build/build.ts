import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describeContract } from '@waymark/contract/components'
import { rolldown } from 'rolldown'
import { operationsModule } from './operations-module.ts'

/*
 * Builds the package that is published: `node packages/sdk/build/build.ts [folder]`. One module that runs in Node 20
 * and newer, in browsers and elsewhere, with the contract inside; declarations that need nothing else; README, licence
 * and a manifest of its own. The manifest in this repository leads to the sources, so that nothing here needs a build.
 */

const sdk = fileURLToPath(new URL('../', import.meta.url))
const root = join(sdk, '../..')
const TSC = join(root, 'node_modules/typescript/bin/tsc')

const bundle = async (folder: string): Promise<void> => {
  const build = await rolldown({
    input: join(sdk, 'src/index.ts'),
    platform: 'neutral',
    transform: { target: 'es2022' },
  })
  await build.write({ file: join(folder, 'index.js'), format: 'esm' })
  await build.close()
}

/** Emits the declarations of the sources, with plain interfaces instead of the types of the contract. */
const emitDeclarations = (folder: string): void => {
  // Inside the package, so that the sources find the contract while they are checked.
  const copy = mkdtempSync(join(sdk, '.build-'))
  try {
    for (const file of globSync('src/*.ts', { cwd: sdk }).filter((name) => !name.endsWith('.test.ts')))
      cpSync(join(sdk, file), join(copy, basename(file)))
    writeFileSync(join(copy, 'operations.ts'), operationsModule(describeContract()))
    const emitted = join(copy, 'emitted')
    const settings = {
      extends: join(root, 'tsconfig.json'),
      compilerOptions: {
        noEmit: false,
        declaration: true,
        emitDeclarationOnly: true,
        rootDir: join(root, 'packages'),
        outDir: emitted,
        allowImportingTsExtensions: false,
        rewriteRelativeImportExtensions: true,
      },
      include: [join(copy, '*.ts')],
      exclude: [],
    }
    writeFileSync(join(copy, 'tsconfig.json'), JSON.stringify(settings))
    execFileSync(process.execPath, [TSC, '-p', copy], { stdio: 'inherit' })
    keepReachable(join(emitted, 'sdk', basename(copy)), join(folder, 'types'))
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

const SPECIFIER = /(?:from|import\()\s*['"]([^'"]+)['"]/g

/** Copies the declarations that index.d.ts leads to. One that leads out of the package fails the build. */
const keepReachable = (from: string, to: string): void => {
  const names = ['index']
  mkdirSync(to, { recursive: true })
  for (const name of names) {
    const text = readFileSync(join(from, `${name}.d.ts`), 'utf8').replaceAll(
      /(['"]\.\/[^'"]+)\.ts(['"])/g,
      '$1.js$2',
    )
    for (const [, specifier = ''] of text.matchAll(SPECIFIER)) {
      if (!specifier.startsWith('./')) throw new Error(`The declarations of ${name} need ${specifier}`)
      const next = basename(specifier, '.js')
      if (!names.includes(next)) names.push(next)
    }
    writeFileSync(join(to, `${name}.d.ts`), text)
  }
}

const writeManifest = (folder: string): void => {
  const { name, version, description, license, keywords, engines } = JSON.parse(
    readFileSync(join(sdk, 'package.json'), 'utf8'),
  ) as Record<string, unknown>
  const manifest = {
    name,
    version,
    description,
    license,
    keywords,
    engines,
    type: 'module',
    sideEffects: false,
    main: './index.js',
    types: './types/index.d.ts',
    exports: {
      '.': { types: './types/index.d.ts', default: './index.js' },
      './package.json': './package.json',
    },
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

/** Builds the package into a folder, which is emptied first. */
export const buildSdk = async (folder: string): Promise<void> => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await bundle(folder)
  emitDeclarations(folder)
  writeManifest(folder)
  cpSync(join(sdk, 'README.md'), join(folder, 'README.md'))
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
}

if (import.meta.main) {
  const folder = resolve(process.argv[2] ?? join(sdk, 'dist'))
  await buildSdk(folder)
  console.log(folder)
}
