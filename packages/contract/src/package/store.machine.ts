import { defineMachine } from '../kit/index.ts'

/** Where an app stands on its way into the store; the numbers are the wire's. */
export const storeStatus = {
  unpublished: 0,
  unreviewed: 1,
  underReview: 2,
  published: 3,
  rejected: 4,
  takenDown: 5,
} as const

const { unpublished, unreviewed, underReview, published, rejected, takenDown } = storeStatus

/** Whoever uploads an app submits it, somebody else reviews it. What was rejected or taken down may be submitted again. */
export const storeMachine = defineMachine({
  states: [unpublished, unreviewed, underReview, published, rejected, takenDown],
  events: {
    submit: { from: [unpublished, rejected, takenDown], to: unreviewed },
    review: { from: [unreviewed], to: underReview },
    pass: { from: [underReview], to: published },
    reject: { from: [underReview], to: rejected },
    takeDown: { from: [published], to: takenDown },
  },
})
