import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { direction, LOCALES } from "@/lib/domain/roles";
import { translator } from "@/lib/i18n/translate";
import { projectRoot } from "./project";

// The colours of app/tokens.css in short: this page has no other file to ask for.
const STYLE =
  ":root{color-scheme:light dark;--a:#1d4fc4}@media(prefers-color-scheme:dark){:root{--a:#8fb4ff}}" +
  "body{font:1rem/1.6 'IBM Plex Sans','IBM Plex Sans Arabic',system-ui,sans-serif;max-width:28rem;margin:5vh auto;padding:0 1rem}" +
  "section{border:1px solid #8886;border-radius:1.125rem;padding:1.5rem;margin-top:1rem}h1{font-size:1.5rem;line-height:1.3;margin:0}" +
  "p{margin:.5rem 0 0}nav{display:flex;flex-wrap:wrap;gap:.75rem;margin-top:1.25rem}" +
  "a{display:flex;flex:1;align-items:center;justify-content:center;white-space:nowrap;min-height:3rem;padding:0 1.25rem;border:1px solid var(--a);border-radius:.5rem;color:var(--a);font-weight:600;text-decoration:none}" +
  "a:first-child{background:var(--a);color:Canvas}";

/**
 * The page that is shown without a connection if no page is kept. It is in both languages, because a service
 * worker does not know the user's language.
 */
function renderOfflinePage(): string {
  const texts = LOCALES.map((locale) => {
    const t = translator(locale);
    return (
      `<section lang="${locale}" dir="${direction(locale)}"><h1>${t("noConnection.pageTitle")}</h1>` +
      `<p>${t("noConnection.pageText")}</p>` +
      `<nav><a href="">${t("list.tryAgain")}</a><a href="/employee/topup">${t("noConnection.pageLink")}</a></nav></section>`
    );
  });
  return (
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
    `<title>Loyalty Wallet</title><style>${STYLE}</style><body>${texts.join("")}</body></html>`
  );
}

const at = (...path: string[]) => join(projectRoot, ...path);

/** Files outside the build that the counter loads. */
const PUBLIC = ["scanner/zxing_reader.wasm", "icon.svg", "favicon.ico"];
/** The counter's text is Latin or Arabic; names in other scripts take the fonts of the device. */
const WANTED = /\.(?:js|css)$|-(?:latin|arabic)-(?:wght|\d+)-normal\.[\w-]+\.woff2$/;
const NAMED = /static\/(?:chunks|media)\/[\w./~-]+|(?<=\.\.\/)media\/[\w./~-]+/g;

/**
 * Answers the files of the build that the counter's pages load at first or later: those that their manifests
 * name, those that these files name, and so on. Throws when a page of the counter is not in the build.
 */
function filesOfCounter(): string[] {
  const pages = at(".next/server/app/(employee)/employee/(counter)");
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

type Shell = { url: string; revision: string | null }[];

/**
 * Bundles the service worker for the build in .next into `outfile`, with the list of files that the counter
 * keeps. `change` makes it the service worker of another build, for a journey over an update.
 */
export async function buildServiceWorker(
  outfile: string,
  change: (shell: Shell) => Shell = (shell) => shell,
): Promise<void> {
  const hash = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex").slice(0, 16);
  const shell = [
    // Its name has a hash.
    ...filesOfCounter().map((file) => ({ url: `/_next/${file}`, revision: null })),
    ...PUBLIC.map((file) => ({ url: `/${file}`, revision: hash(at("public", file)) })),
  ];
  await build({
    entryPoints: [at("components/service-worker/worker.ts")],
    outfile,
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    alias: { zod: at("components/service-worker/no-schemas.ts") },
    define: {
      "process.env.NODE_ENV": '"production"',
      "self.__SHELL": JSON.stringify(change(shell)),
      "self.__OFFLINE_PAGE": JSON.stringify(renderOfflinePage()),
    },
    logLevel: "warning",
  });
}
