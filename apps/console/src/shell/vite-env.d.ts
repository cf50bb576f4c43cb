/// <reference types="vite/client" />

// Made by byRoom.ts from the folders of the contract.
declare module 'virtual:texts' {
  type Load = () => Promise<{ default: Record<string, unknown> }>
  type Places = Readonly<Record<string, Load>>
  type InEach<T> = Readonly<Record<'en' | 'zh-CN' | 'zh-TW', T>>
  export const atOnce: InEach<Places>
  export const ofRooms: InEach<() => Promise<{ texts: Places }>>
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
