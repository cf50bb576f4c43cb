/** What the look of the console can be chosen from; the accents are drawn in accents.css. */
export const choices = {
  accent: ['blue', 'indigo', 'violet', 'teal', 'green', 'amber', 'rose', 'graphite'],
  scheme: ['light', 'dark', 'system'],
  layout: ['side', 'top', 'mix'],
  density: ['compact', 'normal', 'roomy'],
  width: ['fluid', 'fixed'],
} as const
