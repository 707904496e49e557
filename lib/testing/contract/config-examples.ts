import { editConfig } from "@/lib/points-config/edit-config";
import { contextOf, makeCustomer, makeMerchant } from "../factories";
import { move } from "../movements";
import { type Examples, list, number, text, type World } from "./world";

const CONFIG = {
  iDirhamsPerPoint: 100,
  iMinTopup: 1,
  iMaxTopup: 5000,
  iMaxBalance: 20_000,
  iUndoMinutes: 15,
};

/** A change that the super_admin asked for at a new merchant, and that needs another administrator's approval. */
async function waitingChange({ db, users }: World) {
  const shop = await makeMerchant(db);
  await move(db, shop, await makeCustomer(db, shop), { points: 10 });
  const merchantId = shop.merchant.id;
  const rules = { minTopUp: 1, maxTopUp: 5000, maxBalance: 20_000, undoMinutes: 15, workerDailyCap: null };
  const { pending } = await editConfig(contextOf(db, users.super), {
    ...rules,
    merchantId,
    dirhamsPerPoint: 200,
  });
  if (!pending) throw new Error("the change does not wait");
  return pending;
}

/** Examples of the calls on the points configuration. */
export const CONFIG_EXAMPLES: Examples = {
  "delete /points-config/pending/{id}": async (world) => ({
    as: "admin",
    params: { id: (await waitingChange(world)).id },
    data: { iDirhamsPerPoint: number, oPending: null },
  }),
  "put /points-config/pending/{id}/approval": async (world) => ({
    as: "admin",
    params: { id: (await waitingChange(world)).id },
    data: { oPending: { bNeedsApproval: false, bApproved: true, dEffectiveAt: text } },
  }),
  "get /points-config": () => ({ as: "owner", data: { ...CONFIG, iDirhamsPerPoint: number } }),
  "put /points-config": async ({ db }) => ({
    as: "admin",
    body: { ...CONFIG, iMaxTopup: "٤٠٠٠", iMerchantId: (await makeMerchant(db)).merchant.id },
    data: { iMaxTopup: 4000, bOverride: true },
  }),
  "delete /points-config": async ({ db }) => {
    const { merchant } = await makeMerchant(db);
    await db.pointsConfig.create({
      data: {
        merchantId: merchant.id,
        version: 1,
        dirhamsPerPoint: 100,
        minTopUp: 1,
        maxTopUp: 4000,
        maxBalance: 20_000,
        undoMinutes: 15,
      },
    });
    return {
      as: "admin",
      query: { iMerchantId: merchant.id },
      data: { iMaxTopup: 5000, bOverride: false },
    };
  },
  "get /points-config/history": () => ({ as: "admin", data: { results: list } }),
};
