/**
 * Where a browser lets a page keep its way to a file (one that was dropped, on a secure page), an upload goes on after F5
 * without the file being chosen again. Only that way is kept, never the bytes.
 */
interface Handle {
  readonly kind: string
  getFile: () => Promise<File>
  queryPermission?: (wish: { mode: 'read' }) => Promise<string>
  requestPermission?: (wish: { mode: 'read' }) => Promise<string>
}

const shelf = 'ways'
const open = (): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open('campanile.uploads', 1)
    request.onupgradeneeded = () => request.result.createObjectStore(shelf)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

/** A browser that refuses storage keeps nothing, and the file is chosen again. */
const quietly = async <T>(work: (store: IDBObjectStore) => Promise<T>): Promise<T | undefined> => {
  try {
    const database = await open()
    try {
      return await work(database.transaction(shelf, 'readwrite').objectStore(shelf))
    } finally {
      database.close()
    }
  } catch {
    return undefined
  }
}

/** The way to a file that was dropped, where the browser tells it. */
const ways = new WeakMap<File, Handle>()

export const keepWay = (file: File, id: number): void => {
  const way = ways.get(file)
  if (way) void quietly((store) => done(store.put(way, id)))
}
export const wayTo = (id: number): Promise<Handle | undefined> =>
  quietly((store) => done(store.get(id) as IDBRequest<Handle | undefined>))

/** Forgets the ways to files of uploads that are no longer under way. */
export const keepOnly = (ids: readonly number[]): void =>
  void quietly(async (store) => {
    for (const key of await done(store.getAllKeys())) if (!ids.includes(Number(key))) store.delete(key)
  })

/** The file itself; a browser may ask the person first, which it only does within a click. */
export const openWay = async (way: Handle): Promise<File | undefined> => {
  try {
    const mode = { mode: 'read' } as const
    const may = (await way.queryPermission?.(mode)) ?? 'granted'
    if (may !== 'granted' && (await way.requestPermission?.(mode)) !== 'granted') return undefined
    const file = await way.getFile()
    ways.set(file, way)
    return file
  } catch {
    return undefined
  }
}

type Dropped = DataTransferItem & { getAsFileSystemHandle?: () => Promise<Handle | null> }

/** The files of a drop; what is no file, a folder for example, is left out. */
export const filesOfDrop = async (items: Iterable<DataTransferItem>): Promise<File[]> => {
  // All are asked for at once: after the first wait the browser has taken the drop away.
  const asked = [...(items as Iterable<Dropped>)].map((item) => ({
    file: item.getAsFile(),
    way: item.getAsFileSystemHandle?.().catch(() => null),
  }))
  const files = await Promise.all(
    asked.map(async ({ file, way }) => {
      const known = await way
      if (known && known.kind !== 'file') return null
      if (file && known) ways.set(file, known)
      return file
    }),
  )
  return files.filter((file) => file !== null)
}
