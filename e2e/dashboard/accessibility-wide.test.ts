import { describe } from 'vitest'
import { inspectEveryScreen } from './every-screen.ts'

describe('every screen on a wide screen, in both themes', () => inspectEveryScreen(false))
