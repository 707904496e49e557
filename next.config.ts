import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { NextConfig } from "next";
import createNextIntlPlugin from "next-intl/plugin";

// /api/ready requires that the database has this migration.
const newestMigration = readdirSync(join(import.meta.dirname, "prisma/migrations"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .sort()
  .at(-1);

// The headers of every answer. Pages also get their content security policy from middleware.ts.
const securityHeaders = {
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "same-origin",
  "Permissions-Policy": "camera=(self), microphone=(), geolocation=(), payment=(), usb=()",
  "Cross-Origin-Opener-Policy": "same-origin",
  // Browsers ignore it without https.
  "Strict-Transport-Security": "max-age=31536000",
};

const withNextIntl = createNextIntlPlugin("./lib/i18n/request.ts");

const config: NextConfig = {
  output: "standalone",
  env: { NEWEST_MIGRATION: newestMigration },
  // Otherwise a lock file in a parent folder would make that folder the root.
  outputFileTracingRoot: import.meta.dirname,
  turbopack: { root: import.meta.dirname },
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
      headers: Object.entries(securityHeaders).map(([key, value]) => ({ key, value })),
    },
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

export default withNextIntl(config);
