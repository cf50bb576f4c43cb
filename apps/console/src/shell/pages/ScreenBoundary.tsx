import { Component, type ReactNode } from 'react'
import { Message } from './Message.tsx'

type State = { error: unknown }

/** A page that fails must not take the tabs around it down. A class, because only classes can catch. */
export class ScreenBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { error: undefined }

  static getDerivedStateFromError(error: unknown): State {
    return { error }
  }

  override render() {
    const { error } = this.state
    if (error === undefined) return this.props.children
    return <Message kind="broken" detail={detailOf(error)} onRetry={() => this.setState({ error: undefined })} />
  }
}

const detailOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
