import { createContext, use, useContext } from "react";
import { preinit } from "react-dom";
import { type Texts, textsAddress, textsOfFile } from "./texts";

/** The nonce of the page that is being rendered. */
export const NonceContext = createContext<string | undefined>(undefined);

const loading = new Map<string, Promise<Texts>>();

/** Loads a file that the page came without: after a change of page, or where its own script has not run yet. */
function load(file: string): Promise<Texts> {
  const known = loading.get(file);
  if (known) return known;
  const texts = new Promise<Texts>((resolve, reject) => {
    const script = document.createElement("script");
    const end = () => {
      const loaded = textsOfFile(file);
      if (loaded) resolve(loaded);
      else {
        // Asked for again by whatever needs it next.
        loading.delete(file);
        reject(new Error(`no texts at ${script.src}`));
      }
    };
    script.addEventListener("load", end);
    script.addEventListener("error", end);
    script.src = textsAddress(file);
    document.head.append(script);
  });
  loading.set(file, texts);
  return texts;
}

/** The texts of a file. The server's HTML names it among its scripts; a browser that has it not yet waits for it. */
export function useTexts(file: string): Texts {
  const nonce = useContext(NonceContext);
  if (typeof window === "undefined") preinit(textsAddress(file), { as: "script", nonce });
  return textsOfFile(file) ?? use(load(file));
}
