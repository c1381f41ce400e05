// Runs before the first paint: a chosen theme never flashes, and the right frame is shown. A file of its own: inline script is not allowed.
;(() => {
  let choice = null
  try {
    choice = localStorage.getItem('waymark.theme')
  } catch {
    // Storage may be forbidden; the system's choice stands.
  }
  const dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
  // Which frame index.html shows until the script is there; session.ts keeps the mark.
  let isSignedIn = false
  try {
    isSignedIn = localStorage.getItem('waymark.signed-in') !== null
  } catch {
    // Unknown: the plain frame is right for both.
  }
  const isOutside =
    /\/(sign-in|sign-up|forgot-password|reset-password|confirm-email|cancel-email-change|invitation)$/.test(
      location.pathname,
    )
  document.documentElement.dataset.boot = isSignedIn && !isOutside ? 'inside' : 'outside'
})()
