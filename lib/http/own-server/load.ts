import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { RouteHandler } from "../route";
import type { ApiFile } from "./table";

/** What a route file of the build exports: Next's module around the file's own exports. */
type BuiltRoute = {
  routeModule?: { ensureUserland?: () => Promise<void>; userland?: Record<string, unknown> };
};

const isRoute = (value: unknown): value is RouteHandler => typeof value === "function" && "spec" in value;

/**
 * The handlers made by `route()` in the build in `folder`, which holds `.next`. They are the ones that Next would call, so
 * limits, pools and caches are shared with what Next serves in this process. Throws an Error when the build has another
 * form than expected.
 */
export async function loadApi(folder: string): Promise<ApiFile[]> {
  const server = join(folder, ".next/server");
  // Next's own list of what it built; the bundler must not resolve these paths.
  const manifest = JSON.parse(readFileSync(join(server, "app-paths-manifest.json"), "utf8")) as Record<
    string,
    string
  >;
  const load = createRequire(join(server, "app-paths-manifest.json"));
  const files: ApiFile[] = [];
  for (const [page, file] of Object.entries(manifest)) {
    if (!/^\/api\/.*\/route$/.test(page)) continue;
    const { routeModule } = load(join(server, file)) as BuiltRoute;
    await routeModule?.ensureUserland?.();
    const exported = routeModule?.userland;
    if (!exported) throw new Error(`${file} of the build has no handlers; API_SERVER=next serves it by Next`);
    const handlers = Object.fromEntries(
      Object.entries(exported).filter((entry): entry is [string, RouteHandler] => isRoute(entry[1])),
    );
    // next-auth's and the answer to unknown paths stay with Next.
    if (Object.keys(handlers).length > 0) files.push({ pattern: page.replace(/\/route$/, ""), handlers });
  }
  return files;
}
