import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { projectRoot } from "./project";

const at = (...path: string[]) => join(projectRoot, ...path);

/** Files outside the build that the counter loads. */
const PUBLIC = ["scanner/zxing_reader.wasm", "icon.svg", "favicon.ico"];
/** The counter's text is Latin or Arabic; names in other scripts take the fonts of the device. */
const WANTED = /\.(?:js|css)$|-(?:latin|arabic)-\d+-normal\.[\w-]+\.woff2$/;
const NAMED = /static\/(?:chunks|media)\/[\w./~-]+|(?<=\.\.\/)media\/[\w./~-]+/g;

/**
 * The files of the build that the counter's pages load at first or later: what their manifests name, what those files
 * name, and so on. Throws when a page of the counter is not in the build.
 */
function filesOfCounter(): string[] {
  const pages = at(".next/server/app/(employee)/employee");
  const manifests = ["topup", "redeem"].map((name) => join(pages, name, "page_client-reference-manifest.js"));
  const found = new Set<string>();
  const read = (text: string) => {
    for (const [named] of text.matchAll(NAMED)) {
      const file = named.startsWith("static/") ? named : `static/${named}`;
      if (found.has(file) || !WANTED.test(file) || !existsSync(at(".next", file))) continue;
      found.add(file);
      if (!file.endsWith(".woff2")) read(readFileSync(at(".next", file), "utf8"));
    }
  };
  for (const file of [at(".next/build-manifest.json"), ...manifests]) read(readFileSync(file, "utf8"));
  return [...found].sort();
}

/** The page that is shown without a connection where nothing is kept, in both languages: a worker does not know whose. */
function offlinePage(): string {
  const texts = ["en", "ar"].map((locale) => {
    const { offlineCounter } = JSON.parse(readFileSync(at("messages", `${locale}.json`), "utf8"));
    const { pageTitle, pageText, pageLink } = offlineCounter as Record<string, string>;
    return (
      `<section lang="${locale}" dir="${locale === "ar" ? "rtl" : "ltr"}"><h1>${pageTitle}</h1>` +
      `<p>${pageText}</p><p><a href="/employee/topup">${pageLink}</a></p></section>`
    );
  });
  const style =
    ":root{color-scheme:light dark}body{font:1.125rem/1.5 system-ui,sans-serif;max-width:32rem;margin:12vh auto;" +
    "padding:0 1.5rem}h1{font-size:1.5rem}a{display:inline-block;padding:.75rem 0}section+section{margin-top:3rem}";
  return (
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
    `<title>Loyalty Wallet</title><style>${style}</style><body>${texts.join("")}</body></html>`
  );
}

/** Bundles the service worker for the build that stands in .next, with the list of what the counter keeps, into `outfile`. */
export async function buildServiceWorker(outfile: string): Promise<void> {
  const hash = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex").slice(0, 16);
  const shell = [
    // Its name has a hash.
    ...filesOfCounter().map((file) => ({ url: `/_next/${file}`, revision: null })),
    ...PUBLIC.map((file) => ({ url: `/${file}`, revision: hash(at("public", file)) })),
  ];
  await build({
    entryPoints: [at("app/_worker/worker.ts")],
    outfile,
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    define: {
      "process.env.NODE_ENV": '"production"',
      "self.__SHELL": JSON.stringify(shell),
      "self.__OFFLINE_PAGE": JSON.stringify(offlinePage()),
    },
    logLevel: "warning",
  });
}
