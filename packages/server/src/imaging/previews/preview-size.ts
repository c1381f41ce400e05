/** The size of share previews that all networks accept. */
export const PREVIEW_SIZE = { width: 1200, height: 630 } as const
