/** Describes a field by its label on the screen; a row of a list by the label of the list. */
export const namedBy =
  (labels: Readonly<Record<string, string>>) =>
  (path: string): string => {
    const parts = path.split('.').filter((part) => !/^(id|new)-\d+$/.test(part))
    return parts.map((part) => labels[part] ?? part).join(', ')
  }
