/** Which greeting fits the hour of the reader's clock. */
export const greetingOf = (hour: number): 'night' | 'morning' | 'afternoon' | 'evening' =>
  hour < 5 ? 'night' : hour < 12 ? 'morning' : hour < 18 ? 'afternoon' : 'evening'
