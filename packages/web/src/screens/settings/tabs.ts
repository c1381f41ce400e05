/** The parts of the settings, in the order they are shown. */
export const settingsTabs = ['profile', 'security', 'keys', 'webhooks', 'plan', 'domains', 'help'] as const

export type SettingsTab = (typeof settingsTabs)[number]
