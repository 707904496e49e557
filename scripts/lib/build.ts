import { createHash } from "node:crypto";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { build } from "esbuild";
import { renderOfflinePage } from "@/components/service-worker/offline-page";
import { outputOf } from "../postgres/guarded";
import { projectRoot } from "./command";
import { withLock } from "./lock.mjs";

const sources = [
  ...["app", "components", "lib", "messages", "public", "prisma/schema.prisma"],
  ...["prisma/migrations", "prisma/functions", "prisma/views", "prisma/triggers"],
  ...["middleware.ts", "instrumentation.ts", "instrumentation-client.ts", "next.config.ts"],
  ...["postcss.config.mjs", "tsconfig.json", "package.json", "package-lock.json"],
  ...["scripts/lib/build.ts", "scripts/lib/processes.mjs", "scripts/lib/http-timeouts.mjs"],
];
const at = (...path: string[]) => join(projectRoot, ...path);
/** The folder of the built server. The server needs nothing beside it. */
export const serverFolder = at(".next/standalone");
const buildStamp = at(".next/built-from");
const clientFolder = at("lib/db/generated");
const clientStamp = at("lib/db/generated/.made-from");

function* filesOf(path: string): Generator<string> {
  if (!existsSync(path)) return;
  if (statSync(path).isFile()) yield path;
  else if (path !== clientFolder) {
    for (const name of readdirSync(path).sort()) yield* filesOf(join(path, name));
  }
}

/** A hash of every file that goes into a build, tests aside. */
function fingerprint(paths: string[]): string {
  const hash = createHash("sha256");
  for (const file of paths.flatMap((path) => [...filesOf(at(path))])) {
    // public/sw.js is made from the others, where a host builds without this file.
    if (/\.test\.tsx?$|^lib\/testing\/|^public\/sw\.js$/.test(relative(projectRoot, file))) continue;
    hash
      .update(`${relative(projectRoot, file)}\0`)
      .update(readFileSync(file))
      .update("\0");
  }
  return hash.digest("hex");
}

const made = (stamp: string, from: string) => existsSync(stamp) && readFileSync(stamp, "utf8") === from;

const run = (name: string, args: string[], env: NodeJS.ProcessEnv): Promise<string> =>
  outputOf(`${name} ${args.join(" ")}`, process.execPath, [at(`node_modules/${name}`), ...args], {
    cwd: projectRoot,
    env,
  });

const waiting = (what: string) => () => console.log(`Another command is making ${what}; waiting for it …`);

/** Makes the Prisma client when it is missing or older than the schema. No engine is downloaded. */
export async function ensureClient(): Promise<void> {
  const from = fingerprint(["prisma/schema.prisma", "package-lock.json"]);
  if (made(clientStamp, from)) return;
  await withLock(at(".client.lock"), waiting("the database client"), async () => {
    if (made(clientStamp, from)) return;
    // Any program that exists will do: `generate` asks for an engine and never starts it.
    const settings = { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, PRISMA_HIDE_UPDATE_MESSAGE: "1" };
    await run("prisma/build/index.js", ["generate"], { ...process.env, ...settings });
    writeFileSync(clientStamp, from);
  });
}

/** Whether there is a build of the sources as they are now. */
export const isBuilt = (): boolean => made(buildStamp, fingerprint(sources));

/** Makes the standalone server load these first, however it is started: Next has no setting for what they do. */
const BEFORE_SERVER = ["processes.mjs", "http-timeouts.mjs"];

function addBeforeServer(folder: string): void {
  for (const name of BEFORE_SERVER) cpSync(at(`scripts/lib/${name}`), join(folder, name));
  const server = join(folder, "server.js");
  const text = readFileSync(server, "utf8");
  const lines = BEFORE_SERVER.map((name) => `import "./${name}";\n`).join("");
  if (!text.startsWith(lines)) writeFileSync(server, lines + text);
}

// Chromium then compiles the functions on another thread while the script loads.
// https://github.com/WICG/explicit-javascript-compile-hints-file-based
const CALLED_ON_LOAD = "//# allFunctionsCalledOnLoad\n";

/** `x_moved`: what the map says is one line down already. */
type SourceMap = { x_moved?: true } & (
  | { mappings: string }
  | { sections: { offset: { line: number; column: number } }[] }
);

/** Moves what a source map says of its scripts one line down, unless it was moved before. */
async function moveDown(file: string): Promise<void> {
  const map: SourceMap = JSON.parse(await readFile(file, "utf8"));
  if (map.x_moved) return;
  if ("sections" in map) for (const { offset } of map.sections) offset.line += 1;
  else map.mappings = `;${map.mappings}`;
  await writeFile(file, JSON.stringify({ ...map, x_moved: true }));
}

/** Writes the hint into a script, unless it has it. Answers the script's source map, if it has one that must follow. */
async function hint(file: string): Promise<string | undefined> {
  const text = await readFile(file, "utf8");
  if (text.startsWith(CALLED_ON_LOAD)) return undefined;
  await writeFile(file, CALLED_ON_LOAD + text);
  const [, map] = /\n\/\/# sourceMappingURL=(\S+)\s*$/.exec(text) ?? [];
  return map && join(dirname(file), decodeURIComponent(map));
}

const compress = promisify(brotliCompress);
// The best quality, 11, takes three times as long and saves 2 % more.
const params = { [constants.BROTLI_PARAM_QUALITY]: 10 };

/** Makes scripts and style sheets quick to load: hints, and Brotli forms (lib/api/server/serve.ts serves them). */
export async function hintAndCompress(folder: string): Promise<void> {
  const files = [...filesOf(folder)].filter((file) => /\.(?:js|css)$/.test(file));
  const maps = await Promise.all(files.filter((file) => file.endsWith(".js")).map(hint));
  // Scripts of one text share their map.
  await Promise.all([...new Set(maps)].map((map) => map && moveDown(map)));
  const pack = async (file: string) =>
    writeFile(`${file}.br`, await compress(await readFile(file), { params }));
  await Promise.all(files.map(pack));
}

/** Files outside the build that the counter loads. */
const PUBLIC = ["scanner/zxing_reader.wasm", "icon.svg", "favicon.ico"];
/** The counter's text is Latin or Arabic; names in other scripts take the fonts of the device. */
const WANTED = /\.(?:js|css)$|-(?:latin|arabic)-(?:wght|\d+)-normal\.[\w-]+\.woff2$/;
const NAMED = /static\/(?:chunks|media)\/[\w./~-]+|(?<=\.\.\/)media\/[\w./~-]+/g;

/** The files that the counter's pages load: what their manifests name, what these files name, and so on. */
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

/** Bundles the service worker of the build in .next. `change` makes it another build's, for a journey. */
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

/** Builds for production if the sources changed. Answers whether it did. `quick`: no types or source maps. */
export async function ensureBuild({ quick = false } = {}): Promise<boolean> {
  // The caller may change its settings while this waits.
  const before = { ...process.env };
  await ensureClient();
  const from = fingerprint(sources);
  if (made(buildStamp, from)) return false;
  return await withLock(at(".build.lock"), waiting("the build"), async () => {
    if (made(buildStamp, from)) return false;
    console.log("Building …");
    const isFirst = !existsSync(at(".next"));
    rmSync(buildStamp, { force: true });
    await run("next/dist/bin/next", ["build"], {
      ...before,
      NODE_ENV: "production",
      NEXT_TELEMETRY_DISABLED: "1",
      ...(quick && { TYPE_CHECK: "off", SOURCE_MAPS: "off" }),
      // A checkout's first build is often its only one.
      ...(isFirst && { BUILD_CACHE: "off" }),
    });
    await hintAndCompress(at(".next/static"));
    // Next leaves these two for a CDN; the server serves them itself when they stand beside it.
    cpSync(at(".next/static"), join(serverFolder, ".next/static"), { recursive: true });
    addBeforeServer(serverFolder);
    cpSync(at("public"), join(serverFolder, "public"), { recursive: true });
    await buildServiceWorker(join(serverFolder, "public/sw.js"));
    writeFileSync(buildStamp, from);
    return true;
  });
}
