import type {
  Answer,
  CounterApi,
  CounterCustomer,
  CounterMode,
  CounterMovement,
  CounterPosting,
  RecentMovement,
} from "@/components/counter/types";
import { cashValue } from "@/lib/domain/money";
import type { Device } from "../device/device";
import { readMark } from "../device/mark";
import type { TillConnection } from "./connection";
import {
  asServed,
  findKept,
  forgetCustomer,
  noteBalance,
  publicIdOf,
  rememberCustomer,
  searchKept,
} from "./customers";
import { type KeepRefusal, keepTopUp } from "./keep-top-up";
import { openStore } from "./store";
import { readRecent, readTillRecord, saveRecent } from "./till-record";

/** The sentences of what cannot be done without a connection. */
export type OfflineWords = {
  redeem: string;
  refused: Record<KeepRefusal["refused"], (limit: number) => string>;
};

/**
 * Stores an answer of the server for use without a connection. If the store fails, the answer is still valid.
 */
async function note(write: () => Promise<void>): Promise<void> {
  // A retired till stores no more customers.
  if (readMark() === "paired") await write().catch(() => undefined);
}

const LOST = { kind: "lost", noAnswer: true } as const;
const refusal = (code: string, message: string) => ({ kind: "refused" as const, code, message });

/** The customer as this till knows them; refused if it does not, and if the owner lets it keep nothing. */
async function viewKept(id: string, tillId: string, words: OfflineWords): Promise<Answer<CounterCustomer>> {
  const kept = await findKept(id);
  if (!kept) return refusal("offline_unknown", words.refused.unknown(0));
  const record = await readTillRecord(tillId);
  if (!record || record.maxTopUp === 0 || record.maxTotal === 0)
    return refusal("offline_off", words.refused.off(0));
  const customer = await asServed(kept);
  const { limits } = customer;
  const maxTopUp = Math.min(limits?.maxTopUp ?? record.maxTopUp, record.maxTopUp);
  return { kind: "ok", data: { ...customer, ...(limits ? { limits: { ...limits, maxTopUp } } : {}) } };
}

/** A top-up that was kept a moment ago under this key, as the counter shows it. */
async function keptMovement(posting: CounterPosting, key: string): Promise<CounterMovement> {
  const { customerId, branchId, points, saleRef, tender = "cash" } = posting;
  const kept = await findKept(customerId);
  const customer = kept && (await asServed(kept));
  const balance = customer?.balance ?? points;
  return {
    id: key,
    type: "TOP_UP",
    points,
    paid: points,
    bonus: 0,
    tender,
    saleRef: saleRef ?? null,
    balance,
    cashValue: cashValue(balance, customer?.rate ?? 0),
    pointsValue: cashValue(points, customer?.rate ?? 0),
    createdAt: new Date().toISOString(),
    customerName: customer?.fullName ?? "",
    undoUntil: null,
    kept: true,
    branch: customer?.merchant?.branches.find(({ id }) => id === branchId) ?? null,
  };
}

type Parts = { base: CounterApi; device: Device; line: TillConnection; words: OfflineWords };

/** Keeps a top-up in the till's store, until the server has it. */
async function keep(
  { base, device, line, words }: Parts,
  posting: CounterPosting,
  key: string,
): Promise<Answer<CounterMovement>> {
  const { customerId, branchId, points, saleRef, tender = "cash" } = posting;
  const { user: workerId, session } = base;
  const ask = { key, session, workerId, customerId, branchId, points, tender, saleRef };
  const answer = await keepTopUp(device, ask);
  if ("refused" in answer) {
    const message = words.refused[answer.refused](answer.limit);
    return refusal(`offline_${answer.refused}`, message);
  }
  await line.kept();
  return { kind: "ok", data: await keptMovement(posting, key) };
}

/** The counter's calls on a till: the API's while there is a connection, otherwise answered from the till's store. */
export function callsOfTill(
  base: CounterApi,
  device: Device,
  line: TillConnection,
  words: OfflineWords,
): CounterApi {
  function noted<T>(answer: Answer<T>): Answer<T> {
    if (answer.kind !== "lost") line.answered();
    else if (answer.noAnswer) line.lost();
    return answer;
  }

  /** Runs a call while the server answers; where it does not, or no longer, what the till can do instead. */
  async function either<T>(
    call: () => Promise<Answer<T>>,
    instead: () => Promise<Answer<T>>,
  ): Promise<Answer<T>> {
    if (line.state().up) {
      const answer = noted(await call());
      if (answer.kind !== "lost" || !answer.noAnswer) return answer;
    }
    return instead().catch(() => LOST);
  }

  async function post(
    mode: CounterMode,
    posting: CounterPosting,
    key: string,
    again = false,
  ): Promise<Answer<CounterMovement>> {
    const { up } = line.state();
    // Nothing was sent yet, so that nothing can have been redeemed.
    if (mode === "redeem" && !up && !again) return refusal("offline_redeem", words.redeem);
    let unsure = again;
    if (up || mode === "redeem") {
      const answer = noted(await base.post(mode, posting, key, again));
      if (answer.kind === "ok") await note(() => noteBalance(posting.customerId, answer.data.balance));
      if (mode === "redeem" || answer.kind !== "lost" || !answer.noAnswer) return answer;
      unsure = true;
    }
    // A store that fails may still have kept the top-up, so only the same key is sent again.
    const answer = await keep({ base, device, line, words }, posting, key).catch(() => LOST);
    // The server may have posted it: a refusal would let the cashier post it again under another key.
    return answer.kind === "refused" && unsure ? LOST : answer;
  }

  return {
    ...base,
    view: (id) =>
      either(
        async () => {
          const answer = await base.view(id);
          if (answer.kind === "ok") await note(() => rememberCustomer(answer.data));
          else if (answer.kind === "refused" && answer.code === "customer_not_found")
            await note(() => forgetCustomer(id));
          return answer;
        },
        () => viewKept(id, device.till.id, words),
      ),
    search: (term, signal) =>
      either(
        () => base.search(term, signal),
        async () => ({ kind: "ok", data: await searchKept(term) }),
      ),
    recent: async (mode) => {
      const answer = await either(
        async () => {
          const rows = await base.recent(mode);
          await note(() => noteRecent(base, mode, rows));
          return rows;
        },
        () => recentKept(base, mode),
      );
      return withWaiting(mode, base.user, answer).catch(() => answer);
    },
    followRecent: (changed) => followRecent(line, changed),
    followKept: ({ id }, settled) => followKept(line, id, settled),
    post,
  };
}

/** Calls back when the connection or the number of waiting top-ups has changed. */
function followRecent(line: TillConnection, changed: () => void): () => void {
  let before = line.state();
  return line.subscribe(() => {
    const now = line.state();
    const isNews = now.up !== before.up || now.waiting !== before.waiting;
    before = now;
    if (isNews) changed();
  });
}

/** Calls back when the server has settled the top-up with this key. */
function followKept(
  line: TillConnection,
  key: string,
  settled: Parameters<NonNullable<CounterApi["followKept"]>>[1],
): () => void {
  const look = async () => {
    const outcome = (await (await openStore()).get("settled", key))?.outcome;
    if (outcome === "inbox" || outcome === "refused") settled({ kind: outcome });
    else if (outcome) settled({ kind: "posted" });
  };
  // If the store cannot be read, the outcome stays as it was reported first.
  const follow = () => void look().catch(() => undefined);
  follow();
  return line.subscribe(follow);
}

/** This cashier's unsent top-ups as rows of the recent list, the latest first. */
async function waitingRows(user: string): Promise<RecentMovement[]> {
  const entries = await (await openStore()).getAll("waiting");
  const own = entries.filter(({ entry }) => entry.iWorkerId === user).reverse();
  return Promise.all(
    own.map(async (waiting) => {
      const { key, entry, customerName } = waiting;
      const { sPoints: points, eTender: tender, sSaleRef, iBranchId, dOccurredAt } = entry;
      const customer = await findKept(publicIdOf(waiting));
      return {
        id: key,
        type: "TOP_UP",
        points,
        paid: points,
        bonus: 0,
        tender,
        saleRef: sSaleRef ?? null,
        pointsValue: cashValue(points, customer?.rate ?? 0),
        balance: 0,
        cashValue: "0",
        createdAt: dOccurredAt,
        customerName,
        branch: customer?.merchant?.branches.find(({ id }) => id === iBranchId) ?? null,
        undoUntil: null,
        kept: true,
        left: 0,
        reversed: false,
      };
    }),
  );
}

/** The rows, with unsent top-ups before them. Redemptions are never unsent. */
async function withWaiting(
  mode: CounterMode,
  user: string,
  answer: Answer<RecentMovement[]>,
): Promise<Answer<RecentMovement[]>> {
  if (mode !== "topup" || answer.kind !== "ok") return answer;
  return { ...answer, data: [...(await waitingRows(user)), ...answer.data] };
}

/** Stores an answer of the server for use without a connection. */
async function noteRecent(
  { session }: Pick<CounterApi, "session">,
  mode: CounterMode,
  answer: Answer<RecentMovement[]>,
): Promise<void> {
  if (answer.kind === "ok") await saveRecent(session, mode, answer.data);
}

/** The rows of the last answer in this session. They cannot be undone, because undo needs a connection. */
async function recentKept(
  { session }: Pick<CounterApi, "session">,
  mode: CounterMode,
): Promise<Answer<RecentMovement[]>> {
  const kept = await readRecent<RecentMovement>(session, mode);
  const data = (kept?.recent ?? []).map((row) => ({ ...row, undoUntil: null }));
  return { kind: "ok", data, asOf: kept?.at ?? null };
}
