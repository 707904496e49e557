import { DATA_POLICY, UPLOAD_POLICY } from "./content-policy";

/** The headers of every answer. Answers that pass middleware.ts get their content security policy there. */
export const SECURITY_HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "same-origin",
  "Permissions-Policy": "camera=(self), microphone=(), geolocation=(), payment=(), usb=(self), serial=(self)",
  "Cross-Origin-Opener-Policy": "same-origin",
  // Browsers ignore it without https.
  "Strict-Transport-Security": "max-age=31536000",
} as const;

/** The content security policies of the API by path, as next.config.ts writes paths; the last that matches counts. */
export const API_POLICIES = [
  { source: "/api/:path*", policy: DATA_POLICY },
  { source: "/api/media/:path*", policy: UPLOAD_POLICY },
] as const;
