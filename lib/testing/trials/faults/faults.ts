import { appendFileSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { addCardDevice } from "@/lib/cards/card-holder";
import { panelOf } from "@/lib/testing/panels";
import { until } from "@/lib/testing/until";
import { withDb } from "@/scripts/lib/with-db";
import { type Guarded, startGuarded } from "@/scripts/postgres/guarded";
import { connected } from "@/scripts/postgres/server";
import { actionRequest, actionsOfBuild } from "../built-actions";
import type { Load } from "./load";
import type { Outside, Program } from "./program";

/** The services outside, each behind a port that can be in any mood. */
type Services = Record<"mail" | "storage" | "Apple" | "Google", Outside>;

export type Stage = { program: Program; outside: Services };
export type Scene = Stage & {
  load: Load;
  /** How many postings, and how many kills, this run wants at least. */
  postings: number;
  kills: number;
};

export type Fault = {
  name: string;
  /** The longest silence, in milliseconds, that still counts as held. */
  patience: number;
  /** Plays it while the load is under way. Answers a remark. */
  run(scene: Scene): Promise<string | undefined>;
  /** More headers of each request. */
  headers?: Record<string, string>;
};

/** Whether something is killed without a word, which the long form does again and again. */
export const isKill = ({ name }: Fault): boolean => name.startsWith("kill -9");

/** Strikes again and again, evenly over the postings of the run. */
const repeatedly =
  (strike: (program: Program, nth: number) => Promise<void>): Fault["run"] =>
  async ({ program, load, postings, kills }) => {
    await load.run(postings, async () => {
      for (let nth = 0; nth < kills; nth++) {
        await load.reach(Math.floor(((nth + 0.5) * postings) / kills));
        await strike(program, nth);
      }
    });
    return `${kills} times`;
  };

/** Takes a lock by this statement and holds it for so many milliseconds. */
const holdLock = (program: Program, lock: string, ms: number, values: string[] = []) =>
  connected(program.ownerUrl, async (client) => {
    await client.query("begin");
    await client.query(lock, values);
    await pause(ms);
    await client.query("rollback");
  });

const MOODS = [
  ["down", "down"],
  ["slow", "answer late"],
  ["nonsense", "answer nonsense"],
  ["silent", "accept and stay silent"],
] as const;
/** Seconds that a mood lasts. */
const MOOD_SECONDS = 3;
/** The longest that a request for a picture may take, in milliseconds, whatever the store does. */
const STORE_PATIENCE = 15_000;

/**
 * The faults during which the program serves as usual: all services outside are in one mood for a while. The money must not
 * notice, and none of them may be left out.
 */
export const MOOD_FAULTS: readonly Fault[] = MOODS.map(([mood, what]) => ({
  name: `mail, storage, Apple and Google ${what}`,
  patience: 5_000,
  async run({ load, outside, postings }) {
    for (const one of Object.values(outside)) one.become(mood);
    const looking = () =>
      Promise.all([pause(MOOD_SECONDS * 1_000), load.look(load.shop.image, STORE_PATIENCE)]);
    await load.run(postings, looking);
    await until("each of them was asked", () => Object.values(outside).every(({ met }) => met > 0));
    const calls = Object.entries(outside).map(([name, { met }]) => `${name} ${met}`);
    for (const one of Object.values(outside)) one.become("good");
    return `asked meanwhile: ${calls.join(", ")}`;
  },
}));

/** The faults that stop the program, or a part of it, for a while. */
export const OUTAGES: readonly Fault[] = [
  {
    name: "kill -9 of one of two servers",
    patience: 10_000,
    run: repeatedly(async (program, nth) => {
      await program.killServer(nth % 2);
      await program.startServer(nth % 2);
    }),
  },
  {
    name: "kill -9 of every server",
    patience: 60_000,
    run: repeatedly(async (program) => {
      await Promise.all([program.killServer(0), program.killServer(1)]);
      await program.startServers();
    }),
  },
  {
    name: "kill -9 of Postgres",
    patience: 60_000,
    run: repeatedly(async (program) => {
      await program.database.kill();
      await program.startDatabase();
    }),
  },
  {
    name: "pages, lists and actions while Postgres is killed",
    patience: 60_000,
    async run({ program, load, postings }) {
      const strike = async () => {
        await program.database.kill();
        await pause(1_000);
        await program.startDatabase();
        await pause(500);
      };
      let seen = 0;
      await load.run(postings, async () => {
        seen = await lookAround(program, load, strike);
      });
      return `${seen} kinds of answers`;
    },
  },
  {
    name: "Postgres restarted",
    patience: 60_000,
    run: repeatedly(async (program) => {
      await program.database.stop();
      await program.startDatabase();
    }),
  },
  {
    name: "SIGTERM with requests in flight",
    patience: 10_000,
    run: repeatedly(async (program, nth) => {
      await program.killServer(nth % 2, "SIGTERM");
      await program.startServer(nth % 2);
    }),
  },
  {
    name: "every connection of the pools waits for 5 s",
    patience: 12_000,
    run: async ({ program, load, postings }) => {
      const lock = "lock table customers in access exclusive mode";
      return void (await load.run(postings, () => holdLock(program, lock, 5_000)));
    },
  },
];

/** The faults of one card, and of clients, which everybody else must not notice. */
export const CALM: readonly Fault[] = [
  {
    name: "one card locked for 15 s, others served",
    patience: 5_000,
    async run({ program, load, postings }) {
      const [locked = ""] = load.shop.customers;
      const lock = "select 1 from customers where id = $1 for update";
      const hold = () => holdLock(program, lock, 15_000, [locked]);
      const [, status] = await Promise.all([
        load.run(postings, hold, locked),
        pause(1_000).then(() => load.askOnce(locked)),
      ]);
      return `the locked card was answered ${status}`;
    },
  },
  ...[-1, 1].map((days) => {
    const date = new Date(Date.now() + days * 86_400_000).toUTCString();
    return {
      name: `the clock of the clients is a day ${days < 0 ? "behind" : "ahead"}`,
      patience: 5_000,
      headers: { date, "x-client-date": date },
      run: async ({ load, postings }: Scene) => void (await load.run(postings)),
    };
  }),
];

/** Writes into a file until the disk has no room for more. */
function fill(file: string): void {
  const megabyte = Buffer.alloc(1024 * 1024);
  try {
    for (;;) appendFileSync(file, megabyte);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
}

/** Fills the disk of the database for a while. `folder` must be a separate file system. */
export const diskFault = (folder: string): Fault => ({
  name: "disk full",
  patience: 60_000,
  async run({ program, load, postings }) {
    const filler = join(folder, "filler");
    await load.run(postings, async () => {
      fill(filler);
      await pause(4_000);
      rmSync(filler);
      if (program.database.ended()) await program.startDatabase();
    });
    return undefined;
  },
});

/** Mounts a file system of this size in memory, and unmounts it when asked to end. */
const MOUNT = `mount -t tmpfs -o "size=$1,mode=0711" tmpfs "$0" 2>/dev/null || exit 1
sleep infinity &
trap 'umount -l "$0"; kill $!' TERM
echo mounted
wait`;

/** A small file system, for as long as this process lives. Only root may make one; undefined where that is refused. */
export async function smallDisk(folder: string, size: string): Promise<Guarded | undefined> {
  mkdirSync(folder, { recursive: true });
  const { promise: isMounted, resolve: onOutput } = Promise.withResolvers<string>();
  const args = ["-c", MOUNT, folder, size];
  const disk = startGuarded({ command: "sh", args, cwd: "/", patience: 5_000, output: "keep", onOutput });
  return (await Promise.race([isMounted, disk.gone])) ? disk : undefined;
}

type Sight = { name: string; path: string; init?: RequestInit; only?: number };

/** Milliseconds after which an address counts as unanswered. */
const LOOK_PATIENCE = 30_000;

/** The addresses that an owner, a holder, a supervisor and a program look at, each with its headers. */
async function sightsOf(program: Program, load: Load): Promise<Sight[]> {
  const { merchantId, customers } = load.shop;
  const [customerId = ""] = customers;
  process.env.AUTH_SECRET = program.secret;
  const { cookie, authorization, holder } = await withDb(program.ownerUrl, async (db) => {
    const owner = await db.user.findFirstOrThrow({ where: { merchantId, role: "merchant_owner" } });
    const { cookie, token: authorization } = await panelOf(db, owner);
    const secret = await addCardDevice(db, customerId, new Date());
    return { authorization, cookie, holder: `wallet_card_${customerId}=${secret}` };
  });
  const both = { headers: { authorization, cookie } };
  const actions = actionsOfBuild();
  const action = (name: string, given: object): Sight => {
    const id = actions.find((one) => one.name === name)?.id;
    if (!id) throw new Error(`the build has no action ${name}`);
    const init = actionRequest(id, [given], program.urls[0] ?? "", { cookie });
    return { name: `the action ${name}`, path: "/merchant/branches", init };
  };
  const page = (path: string, headers: Record<string, string>): Sight[] => [
    { name: path, path, init: { headers } },
    // As the browser asks for it when it goes from page to page. Next sends it to an address that names what was asked for.
    { name: `${path} as data`, path, init: { headers: { ...headers, rsc: "1" }, redirect: "follow" } },
  ];
  return [
    { name: "health with a token", path: "/api/health", init: both, only: 200 },
    { name: "readiness with a token", path: "/api/ready", init: both },
    { name: "readiness", path: "/api/ready" },
    { name: "a list", path: "/api/branches", init: { headers: { authorization } } },
    { name: "the session", path: "/api/auth/session", init: { headers: { cookie } } },
    { name: "a download", path: "/api/transactions/export", init: { headers: { authorization } } },
    ...page("/merchant/branches", { cookie }),
    ...page("/merchant/transactions", { cookie }),
    ...page("/merchant/dashboard", { cookie }),
    ...page(`/customer/loyalty-card/${customerId}`, { cookie: holder }),
    ...page("/login", {}),
    action("countNoticesAction", {}),
    action("createBranchAction", { name: "While nobody keeps it", city: "Doha" }),
  ];
}

/**
 * Looks at pages, lists and actions again and again while `during` runs; each of them is answered, or refused with 503.
 * Answers how many kinds of answers there were.
 */
async function lookAround(program: Program, load: Load, during: () => Promise<void>): Promise<number> {
  const sights = await sightsOf(program, load);
  const seen = new Set<string>();
  let isOver = false;
  const look = async ({ name, path, init, only }: Sight) => {
    const url = `${program.urls[0]}${path}`;
    const status = await load.read(url, name, LOOK_PATIENCE, { redirect: "manual", ...init });
    if (only && status !== only) load.countSenseless(status, name);
    seen.add(`${name} ${status}`);
  };
  const looking = (async () => {
    while (!isOver) await Promise.all(sights.map(look));
  })();
  await during().finally(() => {
    isOver = true;
  });
  await looking;
  return seen.size;
}
