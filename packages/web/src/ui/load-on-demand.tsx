import { Component, type ComponentType, type ReactNode, Suspense, use } from 'react'

/** A part of the dashboard could not be loaded: the server is down, or a newer version has replaced its files. */
export class LoadError extends Error {
  readonly forget: () => void
  constructor(cause: unknown, forget: () => void) {
    super('This part of the dashboard could not be loaded. Check your connection and try again.', { cause })
    this.forget = forget
  }
}

type OnDemand<P> = ((props: P) => ReactNode) & { readonly preload: () => Promise<void> }

/**
 * A component in a separate file, loaded when it is first needed. Unlike `React.lazy` it retries a failed load the next time,
 * and unlike the router's helper it never reloads the page: while the server is down that would replace the dashboard with the
 * browser's error page.
 */
export function loadOnDemand<P extends object>(load: () => Promise<ComponentType<P>>): OnDemand<P> {
  let Loaded: ComponentType<P> | undefined
  let pending: Promise<void> | undefined
  let failure: LoadError | undefined
  const start = (): Promise<void> => {
    pending ??= load().then(
      (component) => {
        Loaded = component
      },
      (cause: unknown) => {
        pending = undefined
        failure = new LoadError(cause, () => (failure = undefined))
      },
    )
    return pending
  }
  const Part = (props: P): ReactNode => {
    if (failure !== undefined) throw failure
    if (Loaded === undefined) use(start())
    return Loaded === undefined ? null : <Loaded {...props} />
  }
  return Object.assign(Part, {
    preload: () => {
      failure = undefined
      return start()
    },
  })
}

/** Shows a part that is loaded on demand. If that fails, the screen around it stays and `onFailure` gets the reason. */
export class Demanded extends Component<{
  readonly onFailure: (error: Error) => void
  readonly children: ReactNode
}> {
  override readonly state = { hasFailed: false }

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true }
  }

  override componentDidCatch(error: Error): void {
    if (error instanceof LoadError) error.forget()
    this.props.onFailure(error)
  }

  override render(): ReactNode {
    return this.state.hasFailed ? null : <Suspense>{this.props.children}</Suspense>
  }
}
