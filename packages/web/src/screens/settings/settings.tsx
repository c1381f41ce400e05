import { Link, useSearch } from '@tanstack/react-router'
import type { OperationName } from '@waymark/sdk'
import {
  Boxes,
  CreditCard,
  Globe,
  KeyRound,
  KeySquare,
  LifeBuoy,
  type LucideIcon,
  ScrollText,
  ShieldCheck,
  UserRound,
  Users,
  Webhook,
} from 'lucide-react'
import { type ComponentType, Suspense } from 'react'
import { useMay, useWorkspace } from '../../api/workspaces.ts'
import { loadOnDemand } from '../../ui/load-on-demand.tsx'
import { RoleNotice } from '../../ui/may.tsx'
import { scrollToTab } from '../../ui/scroll-to-tab.ts'
import { ScreenHead, Skeletons } from '../../ui/screen.tsx'
import { personalTabs, settingsNames, settingsNeeds, type SettingsTab, workspaceTabs } from './tabs.ts'
const tabs: Record<SettingsTab, { icon: LucideIcon; Content: ComponentType }> = {
  profile: {
    icon: UserRound,
    Content: loadOnDemand(async () => (await import('./profile.tsx')).ProfileSettings),
  },
  security: {
    icon: ShieldCheck,
    Content: loadOnDemand(async () => (await import('./security.tsx')).SecuritySettings),
  },
  help: {
    icon: LifeBuoy,
    Content: loadOnDemand(async () => (await import('./help.tsx')).HelpSettings),
  },
  workspace: {
    icon: Boxes,
    Content: loadOnDemand(async () => (await import('./workspace.tsx')).WorkspaceSettings),
  },
  members: {
    icon: Users,
    Content: loadOnDemand(async () => (await import('./members.tsx')).MemberSettings),
  },
  keys: {
    icon: KeyRound,
    Content: loadOnDemand(async () => (await import('./keys.tsx')).KeySettings),
  },
  tokens: {
    icon: KeySquare,
    Content: loadOnDemand(async () => (await import('./tokens.tsx')).TokenSettings),
  },
  webhooks: {
    icon: Webhook,
    Content: loadOnDemand(async () => (await import('./webhooks.tsx')).WebhookSettings),
  },
  domains: {
    icon: Globe,
    Content: loadOnDemand(async () => (await import('./domains.tsx')).DomainSettings),
  },
  audit: {
    icon: ScrollText,
    Content: loadOnDemand(async () => (await import('./audit-log.tsx')).AuditLogSettings),
  },
  plan: {
    icon: CreditCard,
    Content: loadOnDemand(async () => (await import('./plan.tsx')).PlanSettings),
  },
}

export function Settings() {
  const { tab = 'profile' } = useSearch({ from: '/inside/settings' })
  const { Content } = tabs[tab]
  const workspace = useWorkspace()
  const may = useMay()
  const needed: OperationName | undefined = settingsNeeds[tab]
  const isOpen = (name: SettingsTab): boolean => {
    const needs = settingsNeeds[name]
    return needs === undefined || may(needs)
  }
  return (
    <>
      <ScreenHead title="Settings" tabTitle={`${settingsNames[tab]}, settings`} />
      <div className="grid items-start gap-6 lg:grid-cols-[13rem_minmax(0,1fr)] lg:gap-10">
        <nav
          aria-label="Settings"
          className="scroll-fade -mx-4 flex min-w-0 gap-1 overflow-x-auto overscroll-x-contain px-4 sm:-mx-8 sm:px-8 lg:mx-0 lg:flex-col lg:gap-6 lg:px-0"
        >
          <TabList name="Your account" shown={personalTabs} tab={tab} />
          <TabList name={workspace?.name ?? 'Workspace'} shown={workspaceTabs.filter(isOpen)} tab={tab} />
        </nav>
        <div className="max-w-3xl min-w-0 space-y-6">
          {needed === undefined || may(needed) ? (
            <Suspense fallback={<Skeletons count={1} className="h-56" />}>
              <Content />
            </Suspense>
          ) : (
            <RoleNotice does={needed} lead="You cannot see these settings." />
          )}
        </div>
      </div>
    </>
  )
}

function TabList({
  name,
  shown,
  tab,
}: {
  readonly name: string
  readonly shown: readonly SettingsTab[]
  readonly tab: SettingsTab
}) {
  return (
    <div className="min-w-max lg:min-w-0">
      <h2 className="eyebrow mb-1 hidden truncate px-3 lg:block">{name}</h2>
      <ul aria-label={name} className="flex w-max gap-1 lg:w-auto lg:flex-col">
        {shown.map((each) => {
          const { icon: Icon } = tabs[each]
          return (
            <li key={each}>
              <Link
                ref={each === tab ? scrollToTab : undefined}
                to="/settings"
                search={{ tab: each === 'profile' ? undefined : each }}
                activeOptions={{ includeSearch: true, explicitUndefined: true }}
                className={`flex min-h-10 items-center gap-2.5 rounded-md px-3 text-sm font-semibold whitespace-nowrap ${
                  each === tab ? 'bg-brand-soft text-brand-strong' : 'text-muted hover:text-ink'
                }`}
              >
                <Icon aria-hidden size={16} />
                <span className="pt-0.5">{settingsNames[each]}</span>
              </Link>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
