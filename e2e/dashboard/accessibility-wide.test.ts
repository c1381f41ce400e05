import { describe } from 'vitest'
import { inspectEveryScreen } from './every-screen.ts'

describe('every screen on a wide screen, by day and by night', () => inspectEveryScreen(false))
