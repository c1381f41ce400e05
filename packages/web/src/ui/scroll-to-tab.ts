/** On phones the tabs are wider than the screen: scrolls to the current one, and again after fonts are loaded. */
export const scrollToTab = (link: HTMLAnchorElement | null): void => {
  const strip = link?.closest('nav')
  if (link == null || strip == null) return
  const scroll = (): void => {
    strip.scrollLeft = link.offsetLeft - (strip.clientWidth - link.offsetWidth) / 2
  }
  scroll()
  void document.fonts.ready.then(scroll)
}
