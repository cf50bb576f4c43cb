import { create } from 'zustand'

export type Question = { titles: readonly string[]; answer: (leave: boolean) => void }

/** The open question about unsaved input, shown by LeaveDialog. */
export const useLeaveQuestion = create<{ question: Question | undefined }>(() => ({ question: undefined }))

/** Resolves true when the person gives the input up. */
export const askToLeave = (titles: readonly string[]): Promise<boolean> =>
  new Promise((resolve) => {
    const answer = (leave: boolean) => {
      useLeaveQuestion.setState({ question: undefined })
      resolve(leave)
    }
    useLeaveQuestion.setState({ question: { titles, answer } })
  })
