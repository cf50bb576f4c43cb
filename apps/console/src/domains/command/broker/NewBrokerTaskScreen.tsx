import { useEffect } from 'react'
import { Navigate } from 'react-router'
import { tellDevices } from '../tellDevices.tsx'

const list = '/device/broker/task'

/** An address of its own for what opens over the list of messages. */
export default function NewBrokerTaskScreen() {
  useEffect(() => tellDevices({ command: 'custom', over: list }), [])
  return <Navigate to={list} replace />
}
