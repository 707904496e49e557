import type { z } from "zod";
import type { BlockedMany, blockCustomersSchema, CustomerStatus } from "@/lib/domain/customers";
import type { ActionResult } from "@/lib/domain/errors";

/** What the list shows of a customer. A browser gets each row once more as data, so it has nothing that no cell shows. */
export type CustomerRow = {
  id: string;
  name: string;
  phone?: string;
  email?: string;
  merchant?: string;
  balance: number;
  /** In QAR, such as "350.00". */
  value: string;
  status: CustomerStatus;
  staff?: true;
  since: string;
};

export type BlockManyAction = (
  input: z.input<typeof blockCustomersSchema>,
) => Promise<ActionResult<BlockedMany>>;
