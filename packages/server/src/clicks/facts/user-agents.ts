import * as bowser from 'bowser'
import { isbot } from 'isbot'
import { remembered } from './remembered.ts'

/** What a user agent tells; empty strings: not known. Rules and statistics read it with the same parser. */
export interface Agent {
  readonly bot: boolean
  readonly device: string
  readonly browser: string
  readonly system: string
}

/** As many as the spool keeps; no browser sends more, and matching takes time. */
const MAX_USER_AGENT_CHARS = 512
const MAX_REMEMBERED = 5_000
const knownNames = new Set([...Object.values(bowser.BROWSER_MAP), ...Object.values(bowser.OS_MAP)])

/** Parsing a user agent costs fifty times a look into this; there are few of them and they come again and again. */
const knownAgent = remembered(MAX_REMEMBERED, readAgent)

export function agentOf(userAgent: string): Agent {
  return knownAgent(
    userAgent.length > MAX_USER_AGENT_CHARS ? userAgent.slice(0, MAX_USER_AGENT_CHARS) : userAgent,
  )
}

export function readAgent(userAgent: string): Agent {
  if (userAgent === '') return { bot: false, device: '', browser: '', system: '' }
  const { browser, os, platform } = bowser.parse(userAgent)
  return {
    bot: isbot(userAgent),
    device: platform.type ?? '',
    // For unknown agents the parser returns a piece of the text itself, which the client chooses freely.
    browser: knownNames.has(browser.name ?? '') ? (browser.name ?? '') : '',
    system: knownNames.has(os.name ?? '') ? (os.name ?? '') : '',
  }
}
