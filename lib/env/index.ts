import { z } from "zod";

// 32 random hexadecimal digits have about 115 by this measure; words and runs of a few characters have less.
const MIN_ENTROPY = 90;
const MIN_CHARACTERS = 10;
/** Bits of a common word, the length of the longest, and bits of a letter of any longer or odder text. */
const BITS_OF_WORD = 13;
const LONGEST_WORD = 12;
const BITS_OF_LETTER = 4;
const WORD = /^\p{L}(?:\p{Ll}*|\p{Lu}*|\p{Lo}*)$/u;
/** Characters in the order in which people type them without thinking. */
const ROWS = ["abcdefghijklmnopqrstuvwxyz", "1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm", "0123456789"];
/** A repetition or a run of this length is not random. */
const [REPEATED, RUN] = [6, 4];

const inRow = (run: string): boolean =>
  ROWS.some((row) => row.includes(run) || [...row].reverse().join("").includes(run));

/** The characters that count as random: outside runs such as "cdef" or "lkjh", and outside repetitions. */
function unforeseen(secret: string): string[] {
  const text = secret.toLowerCase();
  return [...secret].filter((_, at) => {
    const isRun = Array.from({ length: RUN }, (_, back) => text.slice(at - back, at - back + RUN)).some(
      (run) => run.length === RUN && inRow(run),
    );
    const isRepeated = Array.from({ length: REPEATED }, (_, back) => at - back).some(
      (from) =>
        from >= 0 && text.length >= from + REPEATED && text.indexOf(text.slice(from, from + REPEATED)) < from,
    );
    return !isRun && !isRepeated;
  });
}

/** A lower bound of a secret's randomness, in bits: by how often each character occurs, or by the number of its words. */
function entropyOf(secret: string): number {
  const kept = unforeseen(secret);
  const counts = [...Map.groupBy(kept, (character) => character).values()].map((group) => group.length);
  // Few different characters, such as a short word that is repeated.
  if (counts.length < MIN_CHARACTERS) return 0;
  const bits = counts.reduce((sum, count) => sum + count * Math.log2(kept.length / count), 0);
  if (/\d/.test(secret)) return bits;
  const words = [...new Set(secret.split(/[^\p{L}]+/u))].filter(Boolean);
  const worth = words.map((word) =>
    word.length > LONGEST_WORD || !WORD.test(word)
      ? word.length * BITS_OF_LETTER
      : Math.min(BITS_OF_WORD, 3 * word.length),
  );
  return Math.min(
    bits,
    worth.reduce((sum, one) => sum + one, 0),
  );
}

/** Whether a secret of some length may be found by trying what people type: repetitions, rows of keys, a few words. */
export const isGuessable = (secret: string): boolean => entropyOf(secret) < MIN_ENTROPY;

const pem = z.string().min(1).optional();

const NO_REGION = "auto";

function isOrigin(address: string): boolean {
  // Another rule reports a text that is not an address.
  if (!URL.canParse(address)) return true;
  return new URL(address).origin === address.toLowerCase().replace(/\/$/, "").replace(/:443$/, "");
}

function hostsIn(text: string): string[] {
  const hosts = text.split(",").map((host) => host.trim().toLowerCase());
  return hosts.filter(Boolean);
}

const settings = z.object({
  APP_ENV: z.enum(["demo", "test", "development", "production"]).default("production"),
  /** The base of all links in e-mails, QR codes and passes. */
  APP_URL: z.url().default("http://localhost:3000"),
  PORT: z.coerce.number().int().default(3000),
  DATABASE_URL: z.string().min(1),
  /** The database itself, where DATABASE_URL names a pooler: for LISTEN and for the worker. Default: DATABASE_URL. */
  DATABASE_DIRECT_URL: z.string().min(1).optional(),
  /** "transaction": DATABASE_URL names a pooler in transaction mode, so no setting of a session lasts. */
  DATABASE_POOLER: z.enum(["none", "transaction"]).default("none"),
  /** A streaming standby that answers lists, searches, exports, reports and dashboards. Default: none, and DATABASE_URL does. */
  DATABASE_READ_URL: z.string().min(1).optional(),
  DATABASE_POOL: z.coerce.number().int().min(1).default(10),
  /** "named": each connection keeps its statements. Not through a pooler that moves sessions between connections. */
  DATABASE_STATEMENTS: z.enum(["named", "unnamed"]).default("unnamed"),
  DATA_DIR: z.string().min(1).default(".data"),
  /** The key for cookies, live codes and links; at least 32 characters. */
  AUTH_SECRET: z.string().min(32),
  /** The secret before a rotation: what it signed or encrypted is still accepted. */
  AUTH_SECRET_PREVIOUS: z.string().min(32).optional(),
  CRON_SECRET: z.string().min(16).optional(),
  /** The number of trusted proxies in front of the program, for the caller's address. */
  TRUSTED_PROXIES: z.coerce.number().int().min(0).max(10).optional(),
  /**
   * "on": a worker inside the server runs the jobs. "separate": `npm run worker` runs them, and the server none. "off": the
   * server runs them after its answers, and a scheduler calls the cron route.
   */
  WORKER: z.enum(["on", "off", "separate"]).default("on"),
  /** Processes that share the port, each with its pools, counters and metrics: scripts/lib/processes.mjs. */
  SERVER_PROCESSES: z.coerce.number().int().min(1).max(64).default(1),
  /** The server of /api in a container. "own" skips Next's part of the work; "next" is Next. */
  API_SERVER: z.enum(["own", "next"]).default("own"),
  /** Lines below this level are not logged. Default: info; warn in the demo and in tests. */
  LOG_LEVEL: z.enum(["debug", "info", "warn", "error", "silent"]).optional(),
  /** Requests that an API key makes in a minute at most, in each process. */
  API_KEY_REQUESTS: z.coerce.number().int().min(1).default(6_000),
  /** Hosts of webhooks that may be private addresses, parted by commas. Link-local and metadata addresses never are. */
  WEBHOOK_ALLOWED_HOSTS: z.string().default("").transform(hostsIn),
  /** The internal port of the metrics. They are off without it. */
  METRICS_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  METRICS_HOST: z.string().min(1).default("127.0.0.1"),
  /** The address that traces are sent to. Without it, no traces are recorded. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url().optional(),
  MAIL_FROM: z.string().default("Loyalty Wallet <no-reply@wallet.test>"),
  RESEND_API_KEY: z.string().min(1).optional(),
  RESEND_BASE_URL: z.url().optional(),
  SMTP_URL: z.string().min(1).optional(),
  MEDIA_BASE_URL: z.url().optional(),
  S3_BUCKET: z.string().min(1).optional(),
  S3_REGION: z.string().default(NO_REGION),
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
});
type Settings = Partial<z.output<typeof settings>>;

/** The rules of production that the settings break, besides those of their types. */
function* productionProblems(given: Settings): Generator<[name: keyof Settings, message: string]> {
  const { AUTH_SECRET = "", AUTH_SECRET_PREVIOUS, APP_URL = "", S3_ENDPOINT, S3_REGION = NO_REGION } = given;
  const isInexact = (url = "") => url.includes("*");
  if (AUTH_SECRET.length >= 32 && isGuessable(AUTH_SECRET))
    yield ["AUTH_SECRET", "it can be guessed: make one with openssl rand -base64 48"];
  if (AUTH_SECRET_PREVIOUS !== undefined && AUTH_SECRET_PREVIOUS === given.AUTH_SECRET)
    yield ["AUTH_SECRET_PREVIOUS", "it is the present secret: name the one before it, or none"];
  if (!APP_URL.startsWith("https://")) yield ["APP_URL", "the public address must start with https://"];
  if (!isOrigin(APP_URL))
    yield [
      "APP_URL",
      "it is a protocol and a host, without a user, a path or a query: https://wallet.example",
    ];
  if (given.TRUSTED_PROXIES === undefined)
    yield ["TRUSTED_PROXIES", "say how many proxies are in front: 1 for one load balancer, 0 for none"];
  if (!given.RESEND_API_KEY && !given.SMTP_URL)
    yield ["RESEND_API_KEY", "a mail provider is needed: set RESEND_API_KEY or SMTP_URL"];
  if (!given.S3_BUCKET) yield ["S3_BUCKET", "a storage is needed"];
  if ((!S3_ENDPOINT && S3_REGION === NO_REGION) || isInexact(S3_ENDPOINT))
    yield ["S3_ENDPOINT", "the storage's exact address is needed; on AWS, S3_REGION is enough"];
  if (isInexact(given.MEDIA_BASE_URL)) yield ["MEDIA_BASE_URL", "name one host, without *"];
}

const schema = settings
  .superRefine(
    (value, ctx) => {
      if (value.DATABASE_POOLER === "transaction" && !value.DATABASE_DIRECT_URL && value.WORKER !== "off") {
        const message = "the worker needs the database's own address beside the pooler's";
        ctx.addIssue({ code: "custom", path: ["DATABASE_DIRECT_URL"], message });
      }
      if (value.APP_ENV !== "production") return;
      for (const [path, message] of productionProblems(value)) {
        ctx.addIssue({ code: "custom", path: [path], message });
      }
    },
    // Reports missing settings together with invalid ones.
    { when: () => true },
  )
  .transform((value) => ({ ...value, TRUSTED_PROXIES: value.TRUSTED_PROXIES ?? 0 }));

export type Env = z.infer<typeof schema>;
let cached: Env | undefined;

/** The settings of this process, read lazily. Throws an Error that names the wrong ones, without their values. */
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

/** The connection string for LISTEN and jobs; undefined (no LISTEN) behind a transaction pooler alone. */
export function directUrl(): string | undefined {
  const { DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_POOLER } = env();
  return DATABASE_DIRECT_URL ?? (DATABASE_POOLER === "transaction" ? undefined : DATABASE_URL);
}

/** The connection string of the replica, or undefined without one. Commands ask too, which have no other settings. */
export const readUrl = (): string | undefined => process.env.DATABASE_READ_URL || undefined;

/** Whether this is the demo, which explains what production does. */
export const isDemo = (): boolean => env().APP_ENV === "demo";

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
