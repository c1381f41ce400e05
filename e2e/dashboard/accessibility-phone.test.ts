import { describe } from 'vitest'
import { inspectEveryScreen } from './every-screen.ts'

describe('every screen on a phone, in both themes', () => inspectEveryScreen(true))
