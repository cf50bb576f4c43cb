interface Sent {
  method: string
  headers: Headers
  signal: AbortSignal
  body?: BodyInit
}

/** Only this way does a browser tell how much of a body has gone. */
export const sendWatched = (
  address: string,
  { method, headers, signal, body }: Sent,
  onProgress: (share: number) => void,
): Promise<Response> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const cut = () => request.abort()
    const failed = () => reject(new TypeError('the line broke'))
    request.open(method, address)
    headers.forEach((value, name) => {
      request.setRequestHeader(name, value)
    })
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    request.onload = () => {
      const { status, statusText, responseText } = request
      resolve(new Response(responseText, { status, statusText }))
    }
    request.onerror = failed
    request.onabort = failed
    request.onloadend = () => signal.removeEventListener('abort', cut)
    signal.addEventListener('abort', cut)
    request.send(body as XMLHttpRequestBodyInit)
  })
