/** The path of `CLICK_SCRIPT`. */
export const CLICK_SCRIPT_PATH = '/e/clicks.js'

/**
 * Reports clicks in browsers that do not support `ping`. Firefox has the attribute but ignores it by default, so it is
 * detected by a property that only Firefox has; the attribute is removed so that no click is reported twice.
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
