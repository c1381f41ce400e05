import { createRootRoute, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router'
import { languageOf, loadLanguage, type VisitorTexts } from '@waymark/page/load-language'
import type { ComponentType } from 'react'
import { profileQuery } from './api/account.ts'
import { isSignedOut } from './api/client.ts'
import { queryClient, whenFactorMissing, whenSignedOut } from './api/query-client.ts'
import { settleWorkspace, workspacesQuery } from './api/workspaces.ts'
import { type ListPlace, placeIn } from './lists/list-place.ts'
import { linkViews, type LinkView } from './screens/link/views.ts'
import {
  linkSorts,
  linkStates,
  type LinksView,
  pageSizes,
  tagsInAddress,
} from './screens/links/links-view.ts'
import { statisticsSearch, type StatisticsSearch, textsIn } from './screens/statistics/view.ts'
import { settingsTabs, type SettingsTab } from './screens/settings/tabs.ts'
import {
  forgetSession,
  leaveReasons,
  type LeaveReason,
  markSignedIn,
  setGate,
  wasSignedIn,
} from './shell/session.ts'
import { Shell } from './shell/shell.tsx'
import { RouteFailure, RouteMissing, RoutePending } from './shell/route-states.tsx'
import { hasUnsavedWork } from './forms/unsaved-work.ts'
import { ownPath } from './ui/addresses.ts'
import { loadOnDemand } from './ui/load-on-demand.tsx'

type Search = Record<string, unknown>
const textIn = (search: Search, key: string): string | undefined => {
  const value = search[key]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}
const wordIn = <T extends string>(search: Search, key: string, words: readonly T[]): T | undefined =>
  words.find((word) => word === search[key])

/** The screen that a file exports. Its type is unknown: screens use the router's types, which would depend on it. */
const screen = <T extends object>(load: () => Promise<T>, name: keyof T & string) =>
  loadOnDemand(async () => (await load())[name] as ComponentType)

/** A screen for people who may not know English: its texts are in the language of the browser, loaded separately. */
const spokenScreen = <T extends object>(load: () => Promise<T>, name: keyof T & string) =>
  loadOnDemand(async () => {
    const language = languageOf(navigator.languages.join(','))
    const [file, words] = await Promise.all([load(), loadLanguage(language)])
    const Screen = file[name] as ComponentType<{ words: VisitorTexts; language: string }>
    return () => <Screen words={words} language={language} />
  })

const root = createRootRoute({ component: Outlet })

/** The query exactly as the OpenID provider sent it. The router changes the spelling of some values. */
const arrivedWith = location.search.slice(1)

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search: Search): { next?: string | undefined; reason?: LeaveReason | undefined } => ({
    next: ownPath(textIn(search, 'next')),
    reason: wordIn(search, 'reason', leaveReasons),
  }),
  component: screen(() => import('./screens/auth/sign-in.tsx'), 'SignIn'),
})
const signUp = createRoute({
  getParentRoute: () => root,
  path: '/sign-up',
  component: screen(() => import('./screens/auth/sign-up.tsx'), 'SignUp'),
})
const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgot-password',
  component: screen(() => import('./screens/auth/forgot-password.tsx'), 'ForgotPassword'),
})
const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  validateSearch: (search: Search): { token?: string | undefined } => ({ token: textIn(search, 'token') }),
  component: spokenScreen(() => import('./screens/auth/reset-password.tsx'), 'ResetPassword'),
})

const confirmEmail = createRoute({
  getParentRoute: () => root,
  path: '/confirm-email',
  validateSearch: (search: Search): { token?: string | undefined } => ({ token: textIn(search, 'token') }),
  component: screen(() => import('./screens/auth/confirm-email.tsx'), 'ConfirmEmail'),
})

const cancelEmailChange = createRoute({
  getParentRoute: () => root,
  path: '/cancel-email-change',
  validateSearch: (search: Search): { token?: string | undefined } => ({ token: textIn(search, 'token') }),
  component: screen(() => import('./screens/auth/confirm-email.tsx'), 'CancelEmailChange'),
})

const oidc = createRoute({
  getParentRoute: () => root,
  path: '/oidc',
  loader: async (): Promise<object> =>
    (await import('./screens/auth/return.tsx')).completeReturn(arrivedWith),
  staleTime: Number.POSITIVE_INFINITY,
  component: screen(() => import('./screens/auth/return.tsx'), 'OidcReturn'),
})

const signInLink = createRoute({
  getParentRoute: () => root,
  path: '/sign-in-link',
  validateSearch: (search: Search): { token?: string | undefined } => ({ token: textIn(search, 'token') }),
  component: screen(() => import('./screens/auth/return.tsx'), 'SignInLink'),
})

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  validateSearch: (search: Search): { token?: string | undefined } => ({ token: textIn(search, 'token') }),
  component: spokenScreen(() => import('./screens/auth/invitation.tsx'), 'Invitation'),
})

/** Everything behind the sign-in. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  component: Shell,
  beforeLoad: async ({ location }) => {
    try {
      const [profile, workspaces] = await Promise.all([
        queryClient.ensureQueryData(profileQuery),
        queryClient.ensureQueryData(workspacesQuery),
      ])
      markSignedIn(profile.email)
      settleWorkspace(workspaces)
    } catch (error) {
      if (!isSignedOut(error)) throw error
      const reason = wasSignedIn() ? 'ended' : undefined
      markSignedIn(null)
      const next = location.href === '/' ? undefined : location.href
      // oxlint-disable-next-line typescript/only-throw-error -- the router API requires it
      throw redirect({ to: '/sign-in', search: { next, reason } })
    }
  },
})

const home = createRoute({
  getParentRoute: () => inside,
  path: '/',
  component: screen(() => import('./screens/home/home.tsx'), 'Home'),
})

const links = createRoute({
  getParentRoute: () => inside,
  path: '/links',
  validateSearch: (search: Search): LinksView => ({
    ...placeIn(search),
    tag: tagsInAddress(textsIn(search['tag'])),
    domain: textIn(search, 'domain'),
    sort: wordIn(search, 'sort', linkSorts),
    state: wordIn(search, 'state', linkStates),
    kind: wordIn(search, 'kind', ['short'] as const),
    size: pageSizes.find((size) => size === search['size']),
    create: search['create'] === true ? true : undefined,
    import: search['import'] === true ? true : undefined,
  }),
  component: screen(() => import('./screens/links/links.tsx'), 'Links'),
})
const link = createRoute({
  getParentRoute: () => inside,
  path: '/links/$code',
  validateSearch: (
    search: Search,
  ): StatisticsSearch & {
    domain?: string | undefined
    view?: LinkView | undefined
    edit?: true | undefined
  } => ({
    domain: textIn(search, 'domain'),
    edit: search['edit'] === true ? true : undefined,
    // A former tab is now beside the rules.
    view: search['view'] === 'try' ? 'rules' : wordIn(search, 'view', linkViews),
    ...statisticsSearch(search),
  }),
  component: screen(() => import('./screens/link/link.tsx'), 'LinkScreen'),
})

const statistics = createRoute({
  getParentRoute: () => inside,
  path: '/statistics',
  validateSearch: (
    search: Search,
  ): StatisticsSearch & { tag?: string | undefined; domain?: string | undefined } => ({
    tag: textIn(search, 'tag'),
    domain: textIn(search, 'domain'),
    ...statisticsSearch(search),
  }),
  component: screen(() => import('./screens/statistics/overview.tsx'), 'StatisticsScreen'),
})

const codes = createRoute({
  getParentRoute: () => inside,
  path: '/codes',
  validateSearch: (search: Search): ListPlace & { kind?: 'barcode' | undefined } => ({
    ...placeIn(search),
    kind: wordIn(search, 'kind', ['barcode'] as const),
  }),
  component: screen(() => import('./screens/codes/codes.tsx'), 'Codes'),
})
/** The initial content of a new code. */
const contentIn = (search: Search): { url?: string | undefined } => ({ url: textIn(search, 'url') })
const qrStudio = createRoute({
  getParentRoute: () => inside,
  path: '/codes/qr/$uuid',
  validateSearch: contentIn,
  component: screen(() => import('./screens/codes/qr-studio.tsx'), 'QrStudio'),
})
const barcodeStudio = createRoute({
  getParentRoute: () => inside,
  path: '/codes/barcode/$uuid',
  validateSearch: contentIn,
  component: screen(() => import('./screens/codes/barcode-studio.tsx'), 'BarcodeStudio'),
})

const pages = createRoute({
  getParentRoute: () => inside,
  path: '/pages',
  validateSearch: placeIn,
  component: screen(() => import('./screens/pages/pages.tsx'), 'Pages'),
})
const pageBuilder = createRoute({
  getParentRoute: () => inside,
  path: '/pages/$uuid',
  validateSearch: (search: Search): StatisticsSearch & { copy?: string | undefined } => ({
    copy: textIn(search, 'copy'),
    ...statisticsSearch(search),
  }),
  component: screen(() => import('./screens/pages/page-builder.tsx'), 'PageBuilder'),
})

const utm = createRoute({
  getParentRoute: () => inside,
  path: '/utm',
  validateSearch: placeIn,
  component: screen(() => import('./screens/utm/utm.tsx'), 'Utm'),
})

const trash = createRoute({
  getParentRoute: () => inside,
  path: '/trash',
  validateSearch: placeIn,
  component: screen(() => import('./screens/trash/trash.tsx'), 'Trash'),
})

const settings = createRoute({
  getParentRoute: () => inside,
  path: '/settings',
  validateSearch: (search: Search): { tab?: SettingsTab | undefined } => ({
    tab: wordIn(search, 'tab', settingsTabs),
  }),
  component: screen(() => import('./screens/settings/settings.tsx'), 'Settings'),
})

/** Every other path, so that the 404 screen keeps the navigation. */
const missing = createRoute({ getParentRoute: () => inside, path: '/$', component: RouteMissing })

const tree = root.addChildren([
  signIn,
  signUp,
  forgotPassword,
  resetPassword,
  confirmEmail,
  cancelEmailChange,
  invitation,
  oidc,
  signInLink,
  inside.addChildren([
    home,
    links,
    link,
    statistics,
    codes,
    qrStudio,
    barcodeStudio,
    pages,
    pageBuilder,
    utm,
    trash,
    settings,
    missing,
  ]),
])

export const router = createRouter({
  routeTree: tree,
  basepath: '/app',
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultPendingComponent: RoutePending,
  defaultErrorComponent: RouteFailure,
  defaultNotFoundComponent: RouteMissing,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

const publicPaths =
  /\/(oidc|sign-in-link|sign-in|sign-up|forgot-password|reset-password|confirm-email|cancel-email-change|invitation)$/

setGate({
  leave: (reason) => {
    const { pathname, href } = router.state.location
    if (publicPaths.test(pathname)) return
    const next = reason === undefined || href === '/' ? undefined : href
    void router.navigate({ to: '/sign-in', search: { next, reason } })
  },
  enter: () => {
    const { pathname, search } = router.state.location
    if (pathname === '/sign-in') void router.navigate({ href: search.next ?? '/' })
  },
})
whenSignedOut(() => {
  // Unsaved input stays on the screen: saving it asks to sign in again.
  if (!hasUnsavedWork()) forgetSession('ended')
})
whenFactorMissing(() => {
  if (hasUnsavedWork() || router.state.location.pathname === '/settings') return
  void router.navigate({ to: '/settings', search: { tab: 'security' } })
})
