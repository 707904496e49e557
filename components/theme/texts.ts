/** A part of the catalogue: texts by key, or deeper parts. A build may have compiled a text into a list. */
export type Texts = { [key: string]: string | readonly unknown[] | Texts };

/**
 * The texts that this page or server has, by the name of their file: in a browser the files themselves write them here,
 * on the server the pages do, for their rendering.
 */
const shared = globalThis as typeof globalThis & { walletTexts?: Record<string, Texts> };

/** What a file is known by whatever it says: `ar/a1b2c3.d4e5f6g7` is version `d4e5f6g7` of `ar/a1b2c3`. */
const nameOf = (file: string) => file.slice(0, file.lastIndexOf("."));

/** The texts of a file, if they are here. */
export const textsOfFile = (file: string): Texts | undefined => shared.walletTexts?.[nameOf(file)];

/** Makes the texts of a file known to the rendering of this server. */
export function keepTexts(file: string, texts: Texts): void {
  shared.walletTexts ??= {};
  shared.walletTexts[nameOf(file)] = texts;
}

/** What a file says to the browser. */
export const textsScript = (file: string, texts: Texts): string =>
  `((t,n)=>{t[n]=t[n]||${JSON.stringify(texts)}})(self.walletTexts=self.walletTexts||{},${JSON.stringify(nameOf(file))})`;

/** Where a browser gets a file. */
export const textsAddress = (file: string): string => `/texts/${file}.js`;
