import type { OperationName } from '@waymark/sdk'

/** The settings of the user, in display order. */
export const personalTabs = ['profile', 'security', 'help'] as const

/** The settings of the workspace, in display order. */
export const workspaceTabs = [
  'workspace',
  'members',
  'keys',
  'tokens',
  'webhooks',
  'domains',
  'plan',
  'audit',
] as const

export const settingsTabs = [...personalTabs, ...workspaceTabs] as const

export type SettingsTab = (typeof settingsTabs)[number]

export const settingsNames: Record<SettingsTab, string> = {
  profile: 'Profile',
  security: 'Security',
  help: 'Feedback and account',
  workspace: 'General',
  members: 'Members',
  keys: 'API keys',
  tokens: 'Access tokens',
  webhooks: 'Webhooks',
  domains: 'Domains',
  plan: 'Plan and invoices',
  audit: 'Audit log',
}

/** The operation that a part of the settings requires. */
export const settingsNeeds: Partial<Record<SettingsTab, OperationName>> = {
  members: 'members',
  keys: 'keys',
  tokens: 'tokens',
  webhooks: 'webhooks',
  domains: 'domains',
  plan: 'currentPlan',
  audit: 'auditLog',
}
