import type { Answer, CounterApi, CounterMode, RecentMovement } from "@/components/counter/types";
import { cashValue } from "@/lib/domain/money";
import { findKept, publicIdOf } from "./customers";
import { openStore } from "./store";
import { readRecent, saveRecent } from "./till-record";

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
        branchName: customer?.merchant?.branches.find(({ id }) => id === iBranchId)?.name ?? "",
        undoUntil: null,
        kept: true,
        left: 0,
        reversed: false,
      };
    }),
  );
}

/** The rows, with unsent top-ups before them. Redemptions are never unsent. */
export async function withWaiting(
  mode: CounterMode,
  user: string,
  answer: Answer<RecentMovement[]>,
): Promise<Answer<RecentMovement[]>> {
  if (mode !== "topup" || answer.kind !== "ok") return answer;
  return { ...answer, data: [...(await waitingRows(user)), ...answer.data] };
}

/** Stores an answer of the server for use without a connection. */
export async function noteRecent(
  { session }: Pick<CounterApi, "session">,
  mode: CounterMode,
  answer: Answer<RecentMovement[]>,
): Promise<void> {
  if (answer.kind === "ok") await saveRecent(session, mode, answer.data);
}

/** The rows of the last answer in this session. They cannot be undone, because undo needs a connection. */
export async function recentKept(
  { session }: Pick<CounterApi, "session">,
  mode: CounterMode,
): Promise<Answer<RecentMovement[]>> {
  const kept = await readRecent<RecentMovement>(session, mode);
  const data = (kept?.recent ?? []).map((row) => ({ ...row, undoUntil: null }));
  return { kind: "ok", data, asOf: kept?.at ?? null };
}
