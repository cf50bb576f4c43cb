/// <reference types="vite/client" />

// Made by byRoom.ts from the folders of the contract.
declare module 'virtual:texts' {
  type Load = () => Promise<{ default: Record<string, unknown> }>
  export const texts: Readonly<Record<'en' | 'zh-CN' | 'zh-TW', Readonly<Record<string, Load>>>>
}
declare module 'virtual:declared' {
  interface Place {
    readonly room: string
    readonly url: string | undefined
    readonly found: boolean
    readonly load: () => Promise<Readonly<Record<string, unknown>>>
  }
  export const declared: Readonly<Record<string, Place>>
}
