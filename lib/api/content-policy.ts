type StoreSettings = Partial<
  Record<"MEDIA_BASE_URL" | "S3_BUCKET" | "S3_ENDPOINT" | "S3_REGION" | "S3_FORCE_PATH_STYLE", string>
>;

const originOf = (url: string | undefined): string[] =>
  url && URL.canParse(url) ? [new URL(url).origin] : [];

/** The origin that browsers send uploads to; none where this site stores them. It follows the addresses of the S3 client. */
export function uploadOrigins(settings: StoreSettings): string[] {
  const { S3_BUCKET: bucket, S3_ENDPOINT: endpoint, S3_REGION: region = "auto" } = settings;
  if (!bucket) return [];
  const [base = ""] = originOf(endpoint || `https://s3.${region}.amazonaws.com`);
  if (base === "") return [];
  const { protocol, hostname, host } = new URL(base);
  // The client names the bucket in the path where it cannot be part of the host.
  const inPath =
    settings.S3_FORCE_PATH_STYLE === "true" ||
    !/^[a-z0-9-]{3,63}$/.test(bucket) ||
    /^[\d.]+$|^\[|^localhost$/.test(hostname);
  return [inPath ? base : `${protocol}//${bucket}.${host}`];
}

const REPORT_PATH = "/api/csp-report";

/** The `<style>` elements that libraries add without a nonce: sonner's, which it adds empty and then fills, and radix's. */
export const STYLE_HASHES = {
  empty: "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
  sonner: "sha256-StEaX+se6YS7pqjzrzMIA0KaX9zF/8zAhvQXZAe5epY=",
  radixSelect: "sha256-441zG27rExd4/il+NvIqyL8zFx5XmyNQtE381kSkUJk=",
} as const;

/** A page's policy. `file`: of a path with a suffix (a service worker's script): site files need no nonce. */
export function pagePolicy(nonce: string, { file }: { file: boolean }): string {
  const settings = process.env as StoreSettings;
  const development = process.env.NODE_ENV === "development";
  const join = (...parts: string[]) => parts.filter(Boolean).join(" ");
  return [
    "default-src 'self'",
    join(
      "script-src 'self'",
      `'nonce-${nonce}'`,
      file ? "" : "'strict-dynamic'",
      "'wasm-unsafe-eval'",
      development ? "'unsafe-eval'" : "",
    ),
    // The overlay of the development server adds its own styles.
    development
      ? "style-src 'self' 'unsafe-inline'"
      : join(`style-src 'self' 'nonce-${nonce}'`, ...Object.values(STYLE_HASHES).map((hash) => `'${hash}'`)),
    // Why style attributes are allowed: docs/decisions/csp.md.
    "style-src-attr 'unsafe-inline'",
    join("img-src 'self' data: blob:", ...originOf(settings.MEDIA_BASE_URL)),
    join(
      "connect-src 'self'",
      ...uploadOrigins(settings),
      ...originOf(settings.MEDIA_BASE_URL),
      development ? "ws:" : "",
    ),
    "font-src 'self' data:",
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    `report-uri ${REPORT_PATH}`,
  ].join("; ");
}

/** The policy of the page that says how long to wait: its own style and icon, and nothing else. */
export function waitPagePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    `report-uri ${REPORT_PATH}`,
  ].join("; ");
}

/** The policy of answers that nobody renders: data, redirects, short refusals. */
export const DATA_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The policy of files that somebody uploaded: whatever opens one, nothing in it runs. */
export const UPLOAD_POLICY = `${DATA_POLICY}; sandbox`;

/** The policy of the build's files: a worker's script follows the policy of the response that carries it. */
export const BUILD_POLICY =
  "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'";

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
