import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { NextConfig } from "next";
import createNextIntlPlugin from "next-intl/plugin";

// Asked for by /api/ready: a database that never got it is not this build's.
const newestMigration = readdirSync(join(import.meta.dirname, "prisma/migrations"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .sort()
  .at(-1);

// For every answer; pages have their content security policy from middleware.ts beside them.
const securityHeaders = {
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "same-origin",
  "Permissions-Policy": "camera=(self), microphone=(), geolocation=(), payment=(), usb=()",
  "Cross-Origin-Opener-Policy": "same-origin",
  // Browsers heed it where the site is reached by https, and nowhere else.
  "Strict-Transport-Security": "max-age=31536000",
};

const withNextIntl = createNextIntlPlugin("./lib/i18n/request.ts");

const config: NextConfig = {
  output: "standalone",
  env: { NEWEST_MIGRATION: newestMigration },
  // A lock file in a folder above must not make that folder the project.
  outputFileTracingRoot: import.meta.dirname,
  turbopack: { root: import.meta.dirname },
  // What is read by path at run time: the PDF's faces.
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
  // Native code and packages that read their own files: Node loads them itself.
  serverExternalPackages: [
    "@node-rs/argon2",
    "@react-pdf/renderer",
    "graphile-worker",
    "nodemailer",
    "passkit-generator",
    "pg",
    "sharp",
  ],
};

export default withNextIntl(config);
