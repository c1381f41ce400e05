const KEY = 'waymark.fonts'

const load = (): Promise<unknown> =>
  import('../styles/fonts.css').catch(() => undefined /* The fallback font stays. */)

/**
 * Fonts are a third of a first visit. They are fetched once the first screen is there; later visits, which have them in
 * the cache, use them at once.
 */
export const loadFonts = (): void => {
  try {
    if (localStorage.getItem(KEY) === '1') return void load()
    localStorage.setItem(KEY, '1')
  } catch {
    // Without storage every visit is a first one.
  }
  const whenIdle = (): unknown =>
    'requestIdleCallback' in window ? requestIdleCallback(() => void load(), { timeout: 4000 }) : load()
  if (document.readyState === 'complete') setTimeout(whenIdle, 1500)
  else addEventListener('load', () => setTimeout(whenIdle, 1500))
}
