import type { People } from './people.ts'

/** One way to install a clone. */
export interface Installation {
  readonly by: keyof People
  readonly commands: readonly (readonly string[])[]
  /** The ways to run the installation, in order. */
  readonly trials: readonly Trial[]
}

/** One way to run an installation, and the expected result. */
export interface Trial {
  readonly name: string
  readonly by: keyof People
  /** Status of `/app`. */
  readonly dashboard: number
  /**
   * What is missing on the machine: the Node that npm installed, or a library that this Node needs. The running Node replaces it;
   * one that is too old must say what to install.
   */
  readonly lacks?: 'node' | 'libatomic'
  /** Whether `npm test` is tried as well. */
  readonly hasTests?: boolean
}

export const INSTALLATIONS: readonly Installation[] = [
  {
    by: 'root',
    commands: [['npm', 'ci']],
    trials: [
      { name: 'npm ci, as root', by: 'root', dashboard: 200, hasTests: true },
      // Its files belong to root, so another user cannot write to it.
      { name: 'the same, read-only', by: 'user', dashboard: 200 },
      { name: 'the same, without libatomic', by: 'root', dashboard: 200, lacks: 'libatomic' },
      // The last one, because the Node is removed.
      { name: 'the same, without its Node', by: 'root', dashboard: 200, lacks: 'node' },
    ],
  },
  {
    by: 'user',
    commands: [['npm', 'ci']],
    trials: [{ name: 'npm ci, not as root', by: 'user', dashboard: 200 }],
  },
  {
    by: 'root',
    commands: [['npm', 'ci', '--omit=dev']],
    trials: [{ name: 'npm ci --omit=dev', by: 'root', dashboard: 503 }],
  },
  {
    by: 'root',
    commands: [
      ['npm', 'ci', '--ignore-scripts'],
      ['npm', 'run', 'build'],
    ],
    trials: [{ name: '--ignore-scripts, npm run build', by: 'root', dashboard: 200 }],
  },
]
