// Runs before the first paint, so that a chosen theme never flashes. A file of its own: inline script is not allowed.
;(() => {
  let choice = null
  try {
    choice = localStorage.getItem('waymark.theme')
  } catch {
    // Storage may be forbidden; the system's choice stands.
  }
  const dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
})()
