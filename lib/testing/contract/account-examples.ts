import { sendOwnEmailCodes } from "@/lib/accounts/change-own-email";
import { tokenOf } from "../calls";
import { contextOf, makeMerchant, makeWorker, uniqueEmail } from "../factories";
import { type Examples, text, type World } from "./world";

const colleague = async ({ db, shop }: World) => {
  const user = await makeWorker(db, shop);
  return { user, token: await tokenOf(db, user) };
};

/** The own e-mail, and the second application of a rejected merchant. */
export const APPLICANT_EXAMPLES: Examples = {
  "post /auth/email/codes": async (world) => ({
    token: (await colleague(world)).token,
    body: { sEmail: uniqueEmail() },
    data: { iSeconds: 300, bBoth: true },
  }),
  "put /auth/email": async (world) => {
    const { user, token } = await colleague(world);
    const sEmail = uniqueEmail();
    await sendOwnEmailCodes(contextOf(world.db, user), { email: sEmail });
    const code = async (at: string) => /\b\d{6}\b/.exec(await world.mail(at))?.[0];
    return {
      token,
      body: { sEmail, sCode: await code(sEmail), sOldCode: await code(user.email) },
      data: { token: text, expiresAt: text },
    };
  },
  "post /auth/merchant/application": async ({ db }) => {
    const { owner } = await makeMerchant(db, { status: "rejected", statusReason: "No trade licence" });
    return {
      token: await tokenOf(db, owner),
      body: { sMessage: "The licence is attached." },
      data: { eStatus: "P" },
    };
  },
};
