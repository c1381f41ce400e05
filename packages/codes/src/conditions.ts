/** One way to make a picture of a code worse. */
export type Condition =
  | { readonly blurPx: number }
  | { readonly degrees: number }
  | { readonly tilt: number }
  | { readonly noise: number }
  | { readonly scale: number }
  | { readonly contrast: number; readonly shadow: number }

/** Six conditions in which codes are scanned, each in a mild and a harsh form. The server grades pictures in them. */
export const CONDITIONS: readonly {
  readonly condition: string
  readonly mild: Condition
  readonly harsh: Condition
}[] = [
  { condition: 'blurred', mild: { blurPx: 0.8 }, harsh: { blurPx: 1.2 } },
  { condition: 'turned', mild: { degrees: 9 }, harsh: { degrees: 38 } },
  { condition: 'tilted', mild: { tilt: 0.04 }, harsh: { tilt: 0.08 } },
  { condition: 'noisy', mild: { noise: 15 }, harsh: { noise: 26 } },
  { condition: 'small', mild: { scale: 0.75 }, harsh: { scale: 0.5 } },
  {
    condition: 'in poor light',
    mild: { contrast: 0.6, shadow: 0.2 },
    harsh: { contrast: 0.8, shadow: 0.5 },
  },
]
