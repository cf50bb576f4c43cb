/** What every picker of rows is given, whether one is chosen or several. */
export type PickerProps = {
  id?: string
  label: string
  disabled?: boolean
  invalid?: boolean
  describedBy?: string | undefined
  onBlur?: () => void
} & (
  | { multiple: true; value: number[]; onChange: (value: number[]) => void }
  | { multiple?: false; value: number | null; onChange: (value: number | null) => void }
)

export const chosenIds = (props: PickerProps): number[] =>
  props.multiple ? props.value : props.value === null ? [] : [props.value]

/** Ant Design hands over what is chosen with its label; the form keeps the ids. */
export const tellChosen = (props: PickerProps, next: { value: number }[] | { value: number } | undefined): void => {
  if (props.multiple) props.onChange(Array.isArray(next) ? next.map((each) => each.value) : [])
  else props.onChange(Array.isArray(next) ? (next[0]?.value ?? null) : (next?.value ?? null))
}
