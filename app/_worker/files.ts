/** Files of builds and of texts: what carries a hash in its name never changes. */
export const FILE_NAMES = /\/(?:_next\/static\/[\w./-]+\.(?:js|css|woff2)|texts\/[\w./-]+\.js)/g;

/** The scripts of its build that a page loads. */
export const SCRIPTS = /<script[^>]* src="(\/_next\/static\/[^"?]+\.js)/g;

/** Whether an address is that of such a file. */
export const isFile = ({ pathname }: URL): boolean =>
  pathname.startsWith("/_next/static/") || pathname.startsWith("/texts/");
