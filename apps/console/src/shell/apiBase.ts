const configured = document.querySelector<HTMLMetaElement>('meta[name=campanile-api]')?.content ?? ''

/** Where the API is: from the page's configuration, else the origin that served it. */
export const apiBase = configured === '' ? window.location.origin : configured
