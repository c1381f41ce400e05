/** On a phone the tabs are wider than the screen: the current one is brought into view, again once the fonts are there. */
export const scrollToTab = (link: HTMLAnchorElement | null): void => {
  const strip = link?.closest('nav')
  if (link == null || strip == null) return
  const scroll = (): void => {
    strip.scrollLeft = link.offsetLeft - (strip.clientWidth - link.offsetWidth) / 2
  }
  scroll()
  void document.fonts.ready.then(scroll)
}
