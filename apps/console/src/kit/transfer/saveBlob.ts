/** Hands a file to the browser's own download. An address of the page's origin or a blob. */
export const saveBlob = (file: Blob | string, fileName = ''): void => {
  const href = typeof file === 'string' ? file : URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = href
  link.download = fileName
  link.click()
  // The browser reads the blob after the click; a minute is more than it needs.
  if (typeof file !== 'string') setTimeout(() => URL.revokeObjectURL(href), 60_000)
}
