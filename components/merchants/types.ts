import type { z } from "zod";
import type { decideMerchantSchema, MerchantDetail } from "@/lib/domain/merchant";
import type { ActionResult } from "@/lib/domain/result";

export type DecideAction = (
  input: z.input<typeof decideMerchantSchema>,
) => Promise<ActionResult<MerchantDetail>>;
