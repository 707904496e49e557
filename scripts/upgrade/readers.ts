import type { Load } from "../faults/load";

/** The demo's accounts, one of each role. */
const ACCOUNTS = ["super@wallet.test", "admin@wallet.test", "owner@karak.test", "worker@karak.test"];
const PASSWORD = "demo-wallet-2026";
/** Milliseconds: an answer that takes longer is none. */
const PATIENCE = 30_000;

type Document = { paths: Record<string, { get?: { responses: Record<string, unknown> } }> };

/** Every call of the API that only reads and needs no id, with each role, again and again. */
export class Readers {
  private readonly tokens: string[] = [];
  private paths: string[] = [];
  rounds = 0;

  constructor(private readonly load: Load) {}

  async signIn(url: string): Promise<void> {
    for (const sEmail of ACCOUNTS) {
      const answer = await fetch(`${url}/api/auth/login`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ sEmail, sPassword: PASSWORD }),
      });
      const { data } = (await answer.json()) as { data?: { token?: string } };
      if (!data?.token) throw new Error(`${sEmail} was not signed in: ${answer.status}`);
      this.tokens.push(data.token);
    }
    const { paths } = (await (await fetch(`${url}/api/openapi.json`)).json()) as Document;
    const readable = Object.entries(paths).filter(([path, { get }]) => get && !/[{]|cron/.test(path));
    this.paths = [...readable.map(([path]) => (path.startsWith("/api") ? path : `/api${path}`)), "/login"];
  }

  /** Reads everything once, at each server in rotation. */
  async round(): Promise<void> {
    for (const path of this.paths) {
      await Promise.all(
        this.tokens.map((authorization) => this.load.look(path, PATIENCE, { authorization })),
      );
    }
    this.rounds++;
  }
}
