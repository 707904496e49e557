import { z } from "zod";

const pem = z.string().min(1).optional();
// Reports missing settings together with invalid ones.
const always = () => true;
const schema = z
  .object({
    APP_ENV: z.enum(["demo", "test", "development", "production"]).default("production"),
    /** The base of all links in e-mails, QR codes and passes. */
    APP_URL: z.url().default("http://localhost:3000"),
    PORT: z.coerce.number().int().default(3000),
    DATABASE_URL: z.string().min(1),
    DATABASE_POOL: z.coerce.number().int().min(1).default(10),
    DATA_DIR: z.string().min(1).default(".data"),
    /** The key for cookies, live codes and links; at least 32 characters. */
    AUTH_SECRET: z.string().min(32),
    CRON_SECRET: z.string().min(16).optional(),
    /** The number of trusted proxies in front of the program, for the caller's address. */
    TRUSTED_PROXIES: z.coerce.number().int().min(0).default(0),
    /** "off" when a cron route runs the jobs instead of a worker inside the server. */
    WORKER: z.enum(["on", "off"]).default("on"),
    /** Lines below this level are not logged. Default: info; warn in the demo and in tests. */
    LOG_LEVEL: z.enum(["debug", "info", "warn", "error", "silent"]).optional(),
    /** The internal port of the metrics. They are off without it. */
    METRICS_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
    /** The address that METRICS_PORT listens on. */
    METRICS_HOST: z.string().min(1).default("127.0.0.1"),
    /** Where traces are sent; without it none are recorded. */
    OTEL_EXPORTER_OTLP_ENDPOINT: z.url().optional(),
    MAIL_FROM: z.string().default("Loyalty Wallet <no-reply@wallet.test>"),
    RESEND_API_KEY: z.string().min(1).optional(),
    RESEND_BASE_URL: z.url().optional(),
    SMTP_URL: z.string().min(1).optional(),
    MEDIA_BASE_URL: z.url().optional(),
    S3_BUCKET: z.string().min(1).optional(),
    S3_REGION: z.string().default("auto"),
    S3_ENDPOINT: z.url().optional(),
    S3_ACCESS_KEY_ID: z.string().optional(),
    S3_SECRET_ACCESS_KEY: z.string().optional(),
    S3_FORCE_PATH_STYLE: z.enum(["true", "false"]).default("false"),
    APPLE_PASS_TYPE_ID: z.string().optional(),
    APPLE_TEAM_ID: z.string().optional(),
    APPLE_PASS_CERT: pem,
    APPLE_PASS_KEY: pem,
    APPLE_PASS_KEY_PASSPHRASE: z.string().optional(),
    APPLE_WWDR_CERT: pem,
    APPLE_APNS_URL: z.url().default("https://api.push.apple.com"),
    APPLE_APNS_KEY: pem,
    APPLE_APNS_KEY_ID: z.string().optional(),
    GOOGLE_WALLET_ISSUER_ID: z.string().optional(),
    GOOGLE_WALLET_KEY: z.string().optional(),
    GOOGLE_WALLET_URL: z.url().default("https://walletobjects.googleapis.com"),
    GOOGLE_TOKEN_URL: z.url().default("https://oauth2.googleapis.com/token"),
  })
  .refine((value) => value.APP_ENV !== "production" || value.RESEND_API_KEY || value.SMTP_URL, {
    path: ["RESEND_API_KEY"],
    error: "a mail provider is needed: set RESEND_API_KEY or SMTP_URL",
    when: always,
  })
  .refine((value) => value.APP_ENV !== "production" || value.S3_BUCKET, {
    path: ["S3_BUCKET"],
    error: "a storage is needed",
    when: always,
  });

export type Env = z.infer<typeof schema>;
let cached: Env | undefined;

/**
 * The validated settings of this process. They are read lazily, so that a build does not need them.
 * Throws an Error that names each missing or invalid setting, without its value.
 */
export function env(): Env {
  if (cached) return cached;
  // Compose files and dashboards write unset settings as empty ones.
  const set = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ""));
  const parsed = schema.safeParse(set);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${issue.path.join(".")}: ${issue.message}`);
    throw new Error(`The environment is not complete:\n${lines.join("\n")}`);
  }
  cached = parsed.data;
  return cached;
}

/** The settings at a server's start. Ends the process with a message if one is missing or invalid. */
export function requiredEnv(): Env {
  try {
    return env();
  } catch (error) {
    // Next would log the error and keep running, with an error for every request. The logger itself needs the settings.
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
