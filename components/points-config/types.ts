import type { z } from "zod";
import type { ConfigImpact, ConfigInForce } from "@/lib/domain/points-config";
import type { ActionResult } from "@/lib/domain/result";
import type {
  configImpactSchema,
  editConfigSchema,
  withdrawOverrideSchema,
} from "@/lib/domain/schemas/points-config";

/** What an administrator may do to the configuration, as server actions. */
export type ConfigActions = {
  edit: (input: z.input<typeof editConfigSchema>) => Promise<ActionResult<ConfigInForce>>;
  withdraw: (input: z.input<typeof withdrawOverrideSchema>) => Promise<ActionResult<ConfigInForce>>;
  impact: (input: z.input<typeof configImpactSchema>) => Promise<ActionResult<ConfigImpact>>;
};
