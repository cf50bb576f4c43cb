/**
 * The words on the button that does nothing. Beside a verb that is itself a cancelling ("Cancel task") a second "Cancel"
 * would say the same, so it says what stays instead.
 */
export const wayOut = (verb: string, { cancel, keep }: { cancel: string; keep: string }): string =>
  verb.toLowerCase().includes(cancel.toLowerCase()) ? keep : cancel
