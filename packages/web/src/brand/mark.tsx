/** The Waymark logo: a plate on a post. The same drawing as mark.svg beside it. */
export function Mark({ size = 28 }: { readonly size?: number }) {
  return (
    <svg aria-hidden viewBox="0 0 32 32" width={size} height={size} className="shrink-0">
      <rect width="32" height="32" rx="8" fill="#0b5d4a" />
      <path d="M6 8h14.5L27 14.5 20.5 21H6z" fill="#ffc52e" />
      <path
        d="M10 11.8l2 5.4 2-4.2 2 4.2 2-5.4"
        fill="none"
        stroke="#241d02"
        strokeWidth="1.9"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <path d="M11 21v6.5" stroke="#fff" strokeWidth="2.6" strokeLinecap="round" />
    </svg>
  )
}

export function Wordmark() {
  return (
    <span className="flex items-center gap-2.5">
      <Mark />
      <span className="pt-1 text-lg leading-none font-extrabold tracking-[-0.03em]">Waymark</span>
    </span>
  )
}
