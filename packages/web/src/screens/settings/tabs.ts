/** The parts of the settings, in the order they are shown. */
export const settingsTabs = ['profile', 'security', 'keys', 'webhooks', 'plan', 'domains', 'help'] as const

export type SettingsTab = (typeof settingsTabs)[number]

export const settingsNames: Record<SettingsTab, string> = {
  profile: 'Profile',
  security: 'Security',
  keys: 'API keys',
  webhooks: 'Webhooks',
  plan: 'Plan and invoices',
  domains: 'Domains',
  help: 'Feedback and account',
}
