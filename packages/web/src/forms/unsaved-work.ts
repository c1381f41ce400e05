type IsChanged = () => boolean

const forms = new Set<IsChanged>()

/** Registers a form that may have unsaved input. Returns a function that removes it. */
export const trackForm = (isChanged: IsChanged): (() => void) => {
  forms.add(isChanged)
  return () => forms.delete(isChanged)
}

/** Whether any form on the screen has unsaved input. */
export const hasUnsavedWork = (): boolean => [...forms].some((isChanged) => isChanged())
