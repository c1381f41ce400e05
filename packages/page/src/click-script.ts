/** Where the server serves `CLICK_SCRIPT`. */
export const CLICK_SCRIPT_PATH = '/e/clicks.js'

/**
 * Reports clicks where a browser does not honour `ping`. Firefox has the attribute and ignores it unless told otherwise,
 * so it is known by a property that only it has; the attribute is taken away so that no click is reported twice.
 */
export const CLICK_SCRIPT = `'use strict'
if (!('ping' in HTMLAnchorElement.prototype) || CSS.supports('-moz-appearance', 'none')) {
  for (const link of document.querySelectorAll('a[ping]')) {
    const address = link.getAttribute('ping')
    link.removeAttribute('ping')
    const report = (event) => {
      if (event.type === 'click' || event.button === 1) navigator.sendBeacon(address)
    }
    link.addEventListener('click', report)
    link.addEventListener('auxclick', report)
  }
}
`
