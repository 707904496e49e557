import { z } from "zod";
import { idSchema } from "@/lib/domain/ids";
import { daySchema } from "@/lib/ledger/model/movements";
import { HOME_PERIODS, type OwnerHomeQuery } from "./owner-home";

/** The query of the owner's home. It is in a separate file, so that the page's scripts do not include zod. */
export const ownerHomeSchema = z.object({
  period: z.enum(HOME_PERIODS, "validation.invalid").optional(),
  from: daySchema.optional(),
  to: daySchema.optional(),
  branchId: idSchema.optional(),
}) satisfies z.ZodType<OwnerHomeQuery>;

export const chartUnitSchema = z.object({ unit: z.enum(["qar", "points"]).optional() });

export const ownerHomePageSchema = ownerHomeSchema.extend(chartUnitSchema.shape);
