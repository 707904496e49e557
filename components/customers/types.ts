import type { z } from "zod";
import type { CustomerProfile } from "@/lib/domain/customers";
import type { ActionResult } from "@/lib/domain/result";
import type {
  customerIdSchema,
  editCustomerSchema,
  unfreezeCustomerSchema,
} from "@/lib/domain/schemas/customers";

/** What staff may do to a customer, as server actions. */
export type CustomerActions = {
  edit: (input: z.input<typeof editCustomerSchema>) => Promise<ActionResult<CustomerProfile>>;
  sendCode: (input: z.input<typeof customerIdSchema>) => Promise<ActionResult<{ seconds: number }>>;
  unfreeze: (input: z.input<typeof unfreezeCustomerSchema>) => Promise<ActionResult<CustomerProfile>>;
};
