/** A reason not to start or not to go on, written for the operator: one sentence that says what to do. Printed without a stack. */
export class OperatorError extends Error {
  override name = 'OperatorError'
}
