import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { NextConfig } from "next";
import createNextIntlPlugin from "next-intl/plugin";
import { DATA_POLICY } from "./lib/http/content-policy";
import { API_POLICIES, SECURITY_HEADERS } from "./lib/http/security-headers";

// /api/ready requires that the database has this migration.
const newestMigration = readdirSync(join(import.meta.dirname, "prisma/migrations"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .sort()
  .at(-1);

const BUILD_POLICY =
  "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'";

// Writing the cache of the build takes a sixth of its time, which scripts/lib/build.ts saves where it is the first.
const experimental = {
  turbopackFileSystemCacheForBuild: process.env.BUILD_CACHE !== "off",
  // An eighth of the build's work, for whoever reads a trace of the server. Tests do not.
  turbopackSourceMaps: process.env.SOURCE_MAPS !== "off",
};

const withNextIntl = createNextIntlPlugin({
  requestConfig: "./lib/i18n/request.ts",
  // Browsers then need no parser of messages.
  experimental: { messages: { path: "./messages", format: "json", locales: ["en", "ar"], precompile: true } },
});

const config: NextConfig = {
  output: "standalone",
  experimental,
  env: { NEWEST_MIGRATION: newestMigration },
  // scripts/test.ts has checked the very same files before it builds.
  typescript: { ignoreBuildErrors: process.env.TYPES_CHECKED === "1" },
  // Otherwise a lock file in a parent folder would make that folder the root.
  outputFileTracingRoot: import.meta.dirname,
  turbopack: {
    root: import.meta.dirname,
    // As lucide's icons import it.
    resolveAlias: { "../createLucideIcon.mjs": "./components/ui/draw-icon.tsx" },
  },
  // Fonts of the PDFs, which are read by path at run time.
  outputFileTracingIncludes: {
    "/api/customer/**": [
      "./node_modules/@fontsource/ibm-plex-sans-arabic/files/ibm-plex-sans-arabic-{latin,arabic}-{400,600}-normal.woff",
    ],
    "/merchant/account/poster": [
      "./node_modules/@fontsource/ibm-plex-sans-arabic/files/ibm-plex-sans-arabic-{latin,arabic}-{400,600}-normal.woff",
    ],
  },
  poweredByHeader: false,
  headers: async () => [
    {
      source: "/:path*",
      headers: Object.entries(SECURITY_HEADERS).map(([key, value]) => ({ key, value })),
    },
    ...API_POLICIES.map(({ source, policy }) => ({
      source,
      headers: [{ key: "Content-Security-Policy", value: policy }],
    })),
    // Files of texts, which do not pass middleware.ts either.
    { source: "/texts/:path*", headers: [{ key: "Content-Security-Policy", value: DATA_POLICY }] },
    // Files of the build: a worker's script has the policy of its own answer.
    { source: "/_next/static/:path*", headers: [{ key: "Content-Security-Policy", value: BUILD_POLICY }] },
  ],
  // Packages with native code, or that read their own files, must not be bundled.
  serverExternalPackages: [
    "@node-rs/argon2",
    "@react-pdf/renderer",
    "graphile-worker",
    "nodemailer",
    "passkit-generator",
    "pg",
    "pino",
    "prom-client",
    "sharp",
  ],
};

const withTexts = withNextIntl(config);

export default {
  ...withTexts,
  turbopack: {
    ...withTexts.turbopack,
    resolveAlias: {
      ...withTexts.turbopack?.resolveAlias,
      "use-intl/format-message": "./lib/i18n/format-message.ts",
    },
  },
} satisfies NextConfig;
