const holds = (text: string, part: string) => part === '' || text.toLowerCase().includes(part)

/** Those whose serial and batch number hold what is looked for; batch numbers that are not here yet hold nothing. */
export const matching = (
  sns: readonly string[],
  { sn, batch }: { readonly sn: string; readonly batch: string },
  numbers: ReadonlyMap<string, string> | undefined,
): readonly string[] => {
  const [serial, number] = [sn.trim().toLowerCase(), batch.trim().toLowerCase()]
  if (serial === '' && number === '') return sns
  return sns.filter((each) => holds(each, serial) && holds(numbers?.get(each) ?? '', number))
}
