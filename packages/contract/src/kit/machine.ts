/** A state is a word, or a number where the wire counts them. */
type State = string | number

export interface Transition<S extends State> {
  readonly from: readonly S[]
  readonly to: S
}

export interface Machine<S extends State, E extends string> {
  readonly states: readonly [S, ...S[]]
  readonly events: Readonly<Record<E, Transition<S>>>
  can(state: S, event: E): boolean
  from(event: E): readonly S[]
  next(event: E): S
  /** No event leads out of it. */
  isFinal(state: S): boolean
}

/** States and events are listed once: the server guards with them, the console shows buttons by them. */
export const defineMachine = <const S extends State, const E extends string>(spec: {
  states: readonly [S, ...S[]]
  events: Readonly<Record<E, Transition<NoInfer<S>>>>
}): Machine<S, E> => {
  const transitions = Object.values(spec.events) as Transition<S>[]
  return {
    ...spec,
    can: (state, event) => spec.events[event].from.includes(state),
    from: (event) => spec.events[event].from,
    next: (event) => spec.events[event].to,
    isFinal: (state) => !transitions.some((transition) => transition.from.includes(state)),
  }
}
