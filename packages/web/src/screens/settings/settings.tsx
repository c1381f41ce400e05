import { Link, useSearch } from '@tanstack/react-router'
import {
  CreditCard,
  Globe,
  KeyRound,
  LifeBuoy,
  type LucideIcon,
  ShieldCheck,
  UserRound,
  Webhook,
} from 'lucide-react'
import type { ComponentType } from 'react'
import { scrollToTab } from '../../ui/scroll-to-tab.ts'
import { ScreenHead } from '../../ui/screen.tsx'
import { DomainSettings } from './domains.tsx'
import { HelpSettings } from './help.tsx'
import { KeySettings } from './keys.tsx'
import { PlanSettings } from './plan.tsx'
import { ProfileSettings } from './profile.tsx'
import { SecuritySettings } from './security.tsx'
import { settingsNames, settingsTabs, type SettingsTab } from './tabs.ts'
import { WebhookSettings } from './webhooks.tsx'

const tabs: Record<SettingsTab, { icon: LucideIcon; Content: ComponentType }> = {
  profile: { icon: UserRound, Content: ProfileSettings },
  security: { icon: ShieldCheck, Content: SecuritySettings },
  keys: { icon: KeyRound, Content: KeySettings },
  webhooks: { icon: Webhook, Content: WebhookSettings },
  plan: { icon: CreditCard, Content: PlanSettings },
  domains: { icon: Globe, Content: DomainSettings },
  help: { icon: LifeBuoy, Content: HelpSettings },
}

export function Settings() {
  const { tab = 'profile' } = useSearch({ from: '/inside/settings' })
  const { Content } = tabs[tab]
  return (
    <>
      <ScreenHead title="Settings" tabTitle={`${settingsNames[tab]}, settings`} />
      <div className="grid items-start gap-6 lg:grid-cols-[13rem_minmax(0,1fr)] lg:gap-10">
        <nav
          aria-label="Settings"
          className="scroll-fade -mx-4 min-w-0 overflow-x-auto overscroll-x-contain px-4 sm:-mx-8 sm:px-8 lg:mx-0 lg:px-0"
        >
          <ul className="flex w-max gap-1 lg:w-auto lg:flex-col">
            {settingsTabs.map((name) => {
              const { icon: Icon } = tabs[name]
              return (
                <li key={name}>
                  <Link
                    ref={name === tab ? scrollToTab : undefined}
                    to="/settings"
                    search={{ tab: name === 'profile' ? undefined : name }}
                    activeOptions={{ includeSearch: true, explicitUndefined: true }}
                    className={`flex min-h-10 items-center gap-2.5 rounded-md px-3 text-sm font-semibold whitespace-nowrap ${
                      name === tab ? 'bg-brand-soft text-brand-strong' : 'text-muted hover:text-ink'
                    }`}
                  >
                    <Icon aria-hidden size={16} />
                    <span className="pt-0.5">{settingsNames[name]}</span>
                  </Link>
                </li>
              )
            })}
          </ul>
        </nav>
        <div className="max-w-3xl min-w-0 space-y-6">
          <Content />
        </div>
      </div>
    </>
  )
}
