import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { renderOfflinePage } from "@/components/service-worker/offline-page";
import { projectRoot } from "./project";

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
