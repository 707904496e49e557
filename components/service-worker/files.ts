/** Files of builds: their names have a hash, so they never change. */
export const FILE_NAMES = /\/_next\/static\/[\w./-]+\.(?:js|css|woff2)/g;

/** The scripts of its build that a page loads. */
export const SCRIPTS = /<script[^>]* src="(\/_next\/static\/[^"?]+\.js)/g;

/** Whether an address is that of such a file. */
export const isFile = ({ pathname }: URL): boolean => pathname.startsWith("/_next/static/");
