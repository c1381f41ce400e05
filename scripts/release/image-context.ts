import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The stage of the Dockerfile that builds the package from a clone, up to the next stage. */
const PACKAGE_STAGE = /^# [^\n]*\nFROM \$\{BASE\} AS package\n[\s\S]*?\n\n(?=FROM )/m
const READY_PACKAGE = 'FROM scratch AS package\nCOPY waymark.tgz /release/\n\n'

/** Packs the input of an image build: `docker build - < waymark-image.tar.gz`, for linux/amd64 and linux/arm64. */
export function packImageContext(root: string, serverFile: string, file: string): void {
  const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8')
  if (!PACKAGE_STAGE.test(dockerfile)) throw new Error('The Dockerfile has no stage that makes the package')
  const context = mkdtempSync(join(tmpdir(), 'waymark-image-'))
  try {
    writeFileSync(join(context, 'Dockerfile'), dockerfile.replace(PACKAGE_STAGE, READY_PACKAGE))
    cpSync(serverFile, join(context, 'waymark.tgz'))
    execFileSync('tar', ['--owner=0', '--group=0', '-czf', file, '-C', context, 'Dockerfile', 'waymark.tgz'])
  } finally {
    rmSync(context, { recursive: true, force: true })
  }
}
