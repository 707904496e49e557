/** A public picture's URL: the media base plus its key; null when there is none. */
export function mediaUrl(base: string, key: string | null): string | null {
  return key ? `${base.replace(/\/+$/, "")}/${key}` : null;
}
