import { z } from "zod";
import type { MerchantNames, MerchantRef } from "@/lib/domain/merchant-name";

/** A merchant's names. `sBusinessNameAr` is null where it has no Arabic one. */
export const merchantNamesShape = z.object({
  sBusinessName: z.string(),
  sBusinessNameAr: z.string().nullable(),
});

export const merchantNamesFrom = ({ businessName, businessNameAr }: MerchantNames) => ({
  sBusinessName: businessName,
  sBusinessNameAr: businessNameAr,
});

/** A merchant as the records of others name it. */
export const merchantRefShape = z.object({ _id: z.string(), ...merchantNamesShape.shape });

export const merchantRefFrom = (merchant: MerchantRef) => ({
  _id: merchant.id,
  ...merchantNamesFrom(merchant),
});
