/** A part of the catalogue: texts by key, or deeper parts. A build may have compiled a text into a list. */
export type Texts = { [key: string]: string | readonly unknown[] | Texts };

/**
 * The texts that this page or server has, by the name of their file: in a browser the files themselves write them here,
 * on the server the pages do, for their rendering.
 */
const shared = globalThis as typeof globalThis & { walletTexts?: Record<string, Texts> };

/**
 * Answers the name of a file without its version. The name does not depend on the texts: `ar/a1b2c3.d4e5f6g7`
 * is version `d4e5f6g7` of `ar/a1b2c3`.
 */
const nameOf = (file: string) => file.slice(0, file.lastIndexOf("."));

/** Answers the texts of a file, if they are loaded. */
export const textsOfFile = (file: string): Texts | undefined => shared.walletTexts?.[nameOf(file)];

/** Makes the texts of a file known to the rendering of this server. */
export function keepTexts(file: string, texts: Texts): void {
  shared.walletTexts ??= {};
  shared.walletTexts[nameOf(file)] = texts;
}

/** Answers the script in a file of texts. The browser runs it. */
export const textsScript = (file: string, texts: Texts): string =>
  `((t,n)=>{t[n]=t[n]||${JSON.stringify(texts)}})(self.walletTexts=self.walletTexts||{},${JSON.stringify(nameOf(file))})`;

/** Answers the address of a file. */
export const textsAddress = (file: string): string => `/texts/${file}.js`;
