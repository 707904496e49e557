import { readStored } from "@/components/accounts/session/stored-session";
import type { Shop } from "@/components/layout/shop-mark";
import type { ViewOf } from "@/lib/api/client";
import type { NoteGround } from "@/lib/cards/model/card-colours";
import { merchantName } from "@/lib/domain/merchant-name";
import type { Locale } from "@/lib/domain/roles";
import type { tillCalls } from "@/lib/tills/names";

type OwnTillView = ViewOf<typeof tillCalls.ownTill>;

/** The data that a till shows before anybody has signed in, and the settings of its counter. */
export type OwnTill = Omit<OwnTillView, "workers"> & {
  workers: { id: string; name: string; hasPin: boolean }[];
};

export function toOwnTill({ workers, ...till }: OwnTillView): OwnTill {
  const named = workers.map(({ id, firstName, lastName, hasPin }) => ({
    id,
    name: `${firstName} ${lastName}`,
    hasPin,
  }));
  return { ...till, workers: named };
}

/** The shop of a till, in this language. An answer that an earlier version kept has no note. */
export function shopOf(
  { merchant, logoUrl = null, note }: OwnTill,
  locale: Locale,
): Shop & { note?: NoteGround } {
  return { name: merchantName(merchant, locale), logoUrl, ...(note && { note }) };
}

/** Local storage: the last answer, so that the faces are there before the server answers. */
const KNOWN = "till.known";

/** The event of the window after `keepKnownTill`: whatever shows the till shows the new answer. */
export const TILL_KNOWN = "till.known";

export function keepKnownTill(till: OwnTill): void {
  localStorage.setItem(KNOWN, JSON.stringify(till));
  window.dispatchEvent(new Event(TILL_KNOWN));
}

export const knownTill = (): OwnTill | null => readStored<OwnTill>("localStorage", KNOWN);
