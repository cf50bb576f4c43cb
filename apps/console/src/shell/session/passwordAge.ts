/** readings 120: a password this many days old is spoken of before changing it becomes a must. */
export const warnFromDay = 80
