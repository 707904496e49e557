import { join } from "node:path";
import type { NextConfig } from "next";
import createNextIntlPlugin from "next-intl/plugin";
import { API_POLICIES, BUILD_POLICY, SECURITY_HEADERS } from "@/lib/api/content-policy";
import { requiredSql } from "./lib/db/sql-files";

// /api/ready requires that the database has these.
const required = JSON.stringify(requiredSql(join(import.meta.dirname, "prisma")));

const hasOwnServer = process.env.NODE_ENV === "production" && !process.env.VERCEL;

// Writing the cache of the build takes a sixth of its time, which scripts/lib/build.ts saves where it is the first.
const experimental = {
  turbopackFileSystemCacheForBuild: process.env.BUILD_CACHE !== "off",
  // Source maps take an eighth of the build's time. They serve readers of a server's trace, not tests.
  turbopackSourceMaps: process.env.SOURCE_MAPS !== "off",
  // It takes a seventh of the build's time. No browser loads this code, and a trace names the real functions.
  serverMinification: false,
  // A first visit asks for 9 to 11 scripts, not 12 to 17, with 6 kB more (Lighthouse in targets.md). Twice these sizes ask
  // for as many, and take 12 seconds more to build.
  turbopackChunking: { minChunkSize: 200_000, maxMergeChunkSize: 800_000, requestCost: 500_000 },
};

// Fonts of the PDFs, which are read by path at run time.
const pdfFonts = ["./node_modules/@expo-google-fonts/ibm-plex-sans-arabic/{400Regular,600SemiBold}/*.ttf"];

const withNextIntl = createNextIntlPlugin({
  requestConfig: "./lib/i18n/request.ts",
  // Browsers then need no parser of messages.
  experimental: { messages: { path: "./messages", format: "json", locales: ["en", "ar"], precompile: true } },
});

const config: NextConfig = {
  output: "standalone",
  experimental,
  // OWN_SERVER: whether a server of this build answers the API without Next (lib/api/server). Vercel runs no server.
  env: { REQUIRED_SQL: required, OWN_SERVER: hasOwnServer ? "on" : "off" },
  typescript: { ignoreBuildErrors: process.env.TYPE_CHECK === "off" },
  // Otherwise a lock file in a parent folder would make that folder the root.
  outputFileTracingRoot: import.meta.dirname,
  turbopack: { root: import.meta.dirname },
  outputFileTracingIncludes: { "/api/**": pdfFonts, "/merchant/account/poster": pdfFonts },
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

const withCatalogues = withNextIntl(config);

export default {
  ...withCatalogues,
  turbopack: {
    ...withCatalogues.turbopack,
    resolveAlias: {
      ...withCatalogues.turbopack?.resolveAlias,
      "use-intl/format-message": "./lib/i18n/format-message.ts",
    },
  },
} satisfies NextConfig;
