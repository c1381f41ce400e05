/** The parts of a link's screen, in the order they are shown. */
export const linkViews = ['statistics', 'rules', 'variants', 'history'] as const

export type LinkView = (typeof linkViews)[number]
