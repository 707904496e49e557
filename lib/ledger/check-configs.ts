import { createHash } from "node:crypto";
import type { Tx } from "@/lib/db/client";
import type { Wrong } from "./model/ledger-check";

/** The heads of the configuration's chains by version: a merchant's own, and the platform's. */
export type ConfigHeads = Record<"own" | "platform", ReadonlyMap<number, Uint8Array>>;

type Row = {
  id: string;
  own: boolean;
  version: number;
  sealed: boolean;
  head: Uint8Array | null;
  digest: Uint8Array | null;
};

export const FIRST_HEAD: Uint8Array = Buffer.alloc(32);

/**
 * The chains of the merchant's and the platform's configuration: the first version that is not as it was when it was
 * made, and the heads as they were chained, which the seals of movements cover.
 */
export async function checkConfigs(
  tx: Tx,
  merchantId: string,
): Promise<{ wrong: Wrong | null; heads: ConfigHeads }> {
  const rows = await tx.$queryRaw<Row[]>`
    select coalesce(s.config_id, v.id)::text as id, coalesce(s.merchant_id, v.merchant_id) is not null as own,
      coalesce(s.version, v.version) as version, s.head, v.digest,
      coalesce(s.version = v.version and s.merchant_id is not distinct from v.merchant_id, false) as sealed
    from (select * from config_seals where merchant_id = ${merchantId}::uuid or merchant_id is null) s
    full join (select * from sealed_configs where merchant_id = ${merchantId}::uuid or merchant_id is null) v
      on v.id = s.config_id
    order by own, version`;
  const own = new Map<number, Uint8Array>();
  const platform = new Map<number, Uint8Array>();
  const last = { own: FIRST_HEAD, platform: FIRST_HEAD };
  let wrong: Wrong | null = null;
  for (const row of rows) {
    const chain = row.own ? "own" : "platform";
    const { head, digest, sealed } = row;
    const expected = createHash("sha256")
      .update(last[chain])
      .update(digest ?? "")
      .digest();
    if (!sealed || !head || !expected.equals(head)) {
      wrong ??= { what: "config", configId: row.id, version: row.version };
    }
    last[chain] = head ?? expected;
    (row.own ? own : platform).set(row.version, last[chain]);
  }
  return { wrong, heads: { own, platform } };
}
