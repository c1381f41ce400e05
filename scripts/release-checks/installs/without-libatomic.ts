import { existsSync } from 'node:fs'

/** Where Debian keeps its libraries. */
const LIBRARIES = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`

/** Removes the library from a copy of the folder that only this command sees. */
const SCRIPT = `
set -e
libraries=$1 copy=$(mktemp -d); shift
mount -t tmpfs tmpfs "$copy"
mkdir "$copy/changes" "$copy/work"
mount -t overlay overlay -o "lowerdir=$libraries,upperdir=$copy/changes,workdir=$copy/work" "$libraries"
rm "$libraries"/libatomic.so*
exec "$@"
`

/** Only root on Debian can hide it; and Node 26, which needs the library, must not be the one that runs npm. */
export const canHideLibatomic = (nodeMajor: number): boolean =>
  nodeMajor < 26 && process.getuid?.() === 0 && existsSync(`${LIBRARIES}/libatomic.so.1`)

/** A command as on a bare Debian, which has no libatomic. */
export const withoutLibatomic = (command: readonly string[]): readonly string[] => [
  'unshare',
  '--mount',
  'sh',
  '-c',
  SCRIPT,
  'sh',
  LIBRARIES,
  ...command,
]
