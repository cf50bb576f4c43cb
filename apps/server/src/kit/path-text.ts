export const folded = (text: string) => text.normalize('NFKC').trim().toLowerCase()

/** `A / B` as people write the way to something, from above down to itself. */
export const stepsOf = (text: string): string[] => text.split(/\s*[/／]\s*/).map(folded)

export const endsWith = (steps: readonly string[], wanted: readonly string[]) =>
  steps.length >= wanted.length && wanted.every((step, index) => step === steps[steps.length - wanted.length + index])
