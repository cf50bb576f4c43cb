/** The name a download should be saved under: RFC 5987 form first, then the plain one, then our own header. */
export function fileNameOf(headers: Headers): string | undefined {
  const disposition = headers.get('content-disposition') ?? ''
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1]
  if (encoded !== undefined) return decode(encoded)
  const plain = /filename="?([^";]+)"?/i.exec(disposition)?.[1]
  const own = headers.get('fileName')
  return plain ?? (own === null ? undefined : decode(own))
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.trim())
  } catch {
    return text.trim()
  }
}
