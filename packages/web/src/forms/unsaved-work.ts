type IsChanged = () => boolean

const forms = new Set<IsChanged>()

/** Adds a form to those that are asked whether they hold unsaved input. Returns the function that removes it. */
export const trackForm = (isChanged: IsChanged): (() => void) => {
  forms.add(isChanged)
  return () => forms.delete(isChanged)
}

/** Whether any form on the screen holds input that the server does not have. */
export const hasUnsavedWork = (): boolean => [...forms].some((isChanged) => isChanged())
