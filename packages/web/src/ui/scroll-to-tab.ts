/** On a phone the tabs are wider than the screen: the current one is brought into view. */
export const scrollToTab = (link: HTMLAnchorElement | null): void => {
  const strip = link?.closest('nav')
  if (link == null || strip == null) return
  strip.scrollLeft = link.offsetLeft - (strip.clientWidth - link.offsetWidth) / 2
}
