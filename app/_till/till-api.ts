import { sendSigned } from "@/components/till-device/signed-fetch";
import { TUNNEL_HEADER } from "@/lib/domain/paths";
import type { OwnTillWire } from "@/lib/http/wire/till";

/** What a till shows before anybody has signed in. */
export type OwnTill = {
  id: string;
  name: string;
  branch: { id: string; name: string };
  merchant: string;
  shift: { id: string; number: number; openedAt: string } | null;
  workers: { id: string; firstName: string; lastName: string; hasPin: boolean }[];
};

/** "retired": the server knows this key no more. "lost": no answer came, or the server failed. */
export type OwnTillAnswer = { kind: "ok"; till: OwnTill } | { kind: "retired" } | { kind: "lost" };

function toTill(wire: OwnTillWire): OwnTill {
  const { _id, sName, branch, merchant, shift, workers } = wire;
  return {
    id: _id,
    name: sName,
    branch: { id: branch._id, name: branch.sBranchName },
    merchant: merchant.sBusinessName,
    shift: shift && { id: shift._id, number: shift.iNumber, openedAt: shift.dOpenedAt },
    workers: workers.map((worker) => ({
      id: worker._id,
      firstName: worker.sFirstName,
      lastName: worker.sLastName,
      hasPin: worker.bHasPin,
    })),
  };
}

/** Asks the server what this till is, by these keys: its name, branch, open shift and workers. */
export async function readOwnTill(keys: CryptoKeyPair): Promise<OwnTillAnswer> {
  try {
    const url = new URL("/api/tills/me", window.location.href);
    const init = {
      headers: { ...TUNNEL_HEADER },
      cache: "no-store",
      signal: AbortSignal.timeout(15_000),
    } as const;
    const answer = await sendSigned(keys, url, init);
    if (answer.status === 401) return { kind: "retired" };
    if (!answer.ok) return { kind: "lost" };
    const { data } = (await answer.json()) as { data: OwnTillWire };
    return { kind: "ok", till: toTill(data) };
  } catch {
    return { kind: "lost" };
  }
}
