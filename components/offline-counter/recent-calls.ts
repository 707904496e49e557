import { openStore } from "@/components/till-store/store";
import { readRecent, saveRecent } from "@/components/till-store/till-record";
import type { Answer, CounterApi, CounterMode, RecentMovement } from "../counter/types";
import { findKept } from "./customers";

/** What this cashier's top-ups are that wait for the line, the latest first, as rows of the recent list. */
async function waitingRows(user: string): Promise<RecentMovement[]> {
  const entries = await (await openStore()).getAll("waiting");
  const own = entries.filter(({ entry }) => entry.iWorkerId === user).reverse();
  return Promise.all(
    own.map(async ({ key, entry, customerName }) => {
      const { sPoints: points, eTender: tender, sSaleRef, customerId, iBranchId, dOccurredAt } = entry;
      const customer = await findKept(customerId);
      return {
        ...{ id: key, type: "TOP_UP", points, paid: points, bonus: 0, tender, saleRef: sSaleRef ?? null },
        ...{ balance: 0, cashValue: "0", createdAt: dOccurredAt, customerId, customerName },
        branchName: customer?.merchant?.branches.find(({ id }) => id === iBranchId)?.name ?? "",
        ...{ undoUntil: null, kept: true, left: 0, reversed: false },
      };
    }),
  );
}

/** Rows with what waits before them; redemptions never wait. */
export async function withWaiting(
  mode: CounterMode,
  user: string,
  answer: Answer<RecentMovement[]>,
): Promise<Answer<RecentMovement[]>> {
  if (mode !== "topup" || answer.kind !== "ok") return answer;
  return { ...answer, data: [...(await waitingRows(user)), ...answer.data] };
}

/** Keeps what the server answered, for when the line is gone. */
export async function noteRecent(
  { session }: Pick<CounterApi, "session">,
  mode: CounterMode,
  answer: Answer<RecentMovement[]>,
): Promise<void> {
  if (answer.kind === "ok") await saveRecent(session, mode, answer.data);
}

/** The rows of the last answer in this session. What was to be undone then is not, without a line. */
export async function recentKept(
  { session }: Pick<CounterApi, "session">,
  mode: CounterMode,
): Promise<Answer<RecentMovement[]>> {
  const kept = await readRecent<RecentMovement>(session, mode);
  const data = (kept?.recent ?? []).map((row) => ({ ...row, undoUntil: null }));
  return { kind: "ok", data, asOf: kept?.at ?? null };
}
