import { describe } from 'vitest'
import { inspectEveryScreen } from './every-screen.ts'

describe('every screen on a phone, by day and by night', () => inspectEveryScreen(true))
