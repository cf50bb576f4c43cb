/** What a file may be, by what its bytes say. Its name and its declared type are never asked. */
export const contentKinds = {
  png: { type: 'image/png', endings: ['.png'] },
  jpeg: { type: 'image/jpeg', endings: ['.jpg', '.jpeg'] },
  bmp: { type: 'image/bmp', endings: ['.bmp'] },
  pdf: { type: 'application/pdf', endings: ['.pdf'] },
  /** Archives, and what office programs make. */
  zip: { type: 'application/zip', endings: ['.zip', '.xlsx', '.docx', '.pptx'] },
  text: { type: 'text/plain', endings: ['.txt', '.csv', '.log', '.json', '.xml'] },
} as const
export type ContentKind = keyof typeof contentKinds

/** Beyond this a small file unpacks to more memory than a browser should give. */
export const mostPixels = 4096
/** A wall of four 4K screens has 33 million pixels; a small file that claims more would take the memory of whoever draws it. */
export const mostMegapixels = 50
