import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { profileQuery } from './api/account.ts'
import { isSignedOut } from './api/client.ts'
import { queryClient, whenSignedOut } from './api/query-client.ts'
import { linkSorts, type LinkSort } from './screens/links/link-sorts.ts'
import { settingsTabs, type SettingsTab } from './screens/settings/tabs.ts'
import { whenLeaving, forgetSession } from './shell/session.ts'
import { Shell } from './shell/shell.tsx'
import { RouteFailure, RouteMissing, RoutePending } from './shell/route-states.tsx'

type Search = Record<string, unknown>
const textIn = (search: Search, key: string): string | undefined => {
  const value = search[key]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}
const wordIn = <T extends string>(search: Search, key: string, words: readonly T[]): T | undefined =>
  words.find((word) => word === search[key])

const root = createRootRoute({ component: Outlet, notFoundComponent: RouteMissing })

/** Only a path of our own may be returned to after signing in. */
const ownPath = (path: string | undefined): string | undefined =>
  path !== undefined && /^\/(?![/\\])/.test(path) ? path : undefined

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search: Search): { next?: string | undefined } => ({
    next: ownPath(textIn(search, 'next')),
  }),
  component: lazyRouteComponent(() => import('./screens/auth/sign-in.tsx'), 'SignIn'),
})
const signUp = createRoute({
  getParentRoute: () => root,
  path: '/sign-up',
  component: lazyRouteComponent(() => import('./screens/auth/sign-up.tsx'), 'SignUp'),
})
const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgot-password',
  component: lazyRouteComponent(() => import('./screens/auth/forgot-password.tsx'), 'ForgotPassword'),
})
const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  validateSearch: (search: Search): { token?: string | undefined } => ({ token: textIn(search, 'token') }),
  component: lazyRouteComponent(() => import('./screens/auth/reset-password.tsx'), 'ResetPassword'),
})

/** Everything behind the sign-in. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  component: Shell,
  beforeLoad: async ({ location }) => {
    try {
      await queryClient.ensureQueryData(profileQuery)
    } catch (error) {
      if (!isSignedOut(error)) throw error
      const next = location.href === '/' ? undefined : location.href
      // oxlint-disable-next-line typescript/only-throw-error -- the router API requires it
      throw redirect({ to: '/sign-in', search: { next } })
    }
  },
})

const home = createRoute({
  getParentRoute: () => inside,
  path: '/',
  component: lazyRouteComponent(() => import('./screens/home/home.tsx'), 'Home'),
})

interface LinksSearch {
  search?: string | undefined
  tag?: string | undefined
  sort?: LinkSort | undefined
  archive?: true | undefined
  create?: true | undefined
}
const links = createRoute({
  getParentRoute: () => inside,
  path: '/links',
  validateSearch: (search: Search): LinksSearch => ({
    search: textIn(search, 'search'),
    tag: textIn(search, 'tag'),
    sort: wordIn(search, 'sort', linkSorts),
    archive: search['archive'] === true ? true : undefined,
    create: search['create'] === true ? true : undefined,
  }),
  component: lazyRouteComponent(() => import('./screens/links/links.tsx'), 'Links'),
})
const link = createRoute({
  getParentRoute: () => inside,
  path: '/links/$code',
  validateSearch: (search: Search): { domain?: string | undefined } => ({ domain: textIn(search, 'domain') }),
  component: lazyRouteComponent(() => import('./screens/link/link.tsx'), 'LinkScreen'),
})

const codes = createRoute({
  getParentRoute: () => inside,
  path: '/codes',
  validateSearch: (search: Search): { kind?: 'barcode' | undefined; search?: string | undefined } => ({
    kind: wordIn(search, 'kind', ['barcode'] as const),
    search: textIn(search, 'search'),
  }),
  component: lazyRouteComponent(() => import('./screens/codes/codes.tsx'), 'Codes'),
})
const qrStudio = createRoute({
  getParentRoute: () => inside,
  path: '/codes/qr/$uuid',
  validateSearch: (search: Search): { url?: string | undefined } => ({ url: textIn(search, 'url') }),
  component: lazyRouteComponent(() => import('./screens/codes/qr-studio.tsx'), 'QrStudio'),
})
const barcodeStudio = createRoute({
  getParentRoute: () => inside,
  path: '/codes/barcode/$uuid',
  component: lazyRouteComponent(() => import('./screens/codes/barcode-studio.tsx'), 'BarcodeStudio'),
})

const pages = createRoute({
  getParentRoute: () => inside,
  path: '/pages',
  component: lazyRouteComponent(() => import('./screens/pages/pages.tsx'), 'Pages'),
})
const pageBuilder = createRoute({
  getParentRoute: () => inside,
  path: '/pages/$uuid',
  component: lazyRouteComponent(() => import('./screens/pages/page-builder.tsx'), 'PageBuilder'),
})

const utm = createRoute({
  getParentRoute: () => inside,
  path: '/utm',
  component: lazyRouteComponent(() => import('./screens/utm/utm.tsx'), 'Utm'),
})

const settings = createRoute({
  getParentRoute: () => inside,
  path: '/settings',
  validateSearch: (search: Search): { tab?: SettingsTab | undefined } => ({
    tab: wordIn(search, 'tab', settingsTabs),
  }),
  component: lazyRouteComponent(() => import('./screens/settings/settings.tsx'), 'Settings'),
})

const tree = root.addChildren([
  signIn,
  signUp,
  forgotPassword,
  resetPassword,
  inside.addChildren([home, links, link, codes, qrStudio, barcodeStudio, pages, pageBuilder, utm, settings]),
])

export const router = createRouter({
  routeTree: tree,
  basepath: '/app',
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultPendingComponent: RoutePending,
  defaultErrorComponent: RouteFailure,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

const publicPaths = /\/(sign-in|sign-up|forgot-password|reset-password)$/

whenLeaving(() => {
  if (publicPaths.test(router.state.location.pathname)) return
  void router.navigate({ to: '/sign-in', search: {} })
})
whenSignedOut(forgetSession)
