import type { z } from "zod";
import type { BlockedMany, blockCustomersSchema, CustomerStatus } from "@/lib/customers/model/customers";
import type { ActionResult } from "@/lib/domain/errors";

/**
 * The fields of a customer that the list shows. A browser gets each row a second time as data, so a row
 * carries only fields that a cell shows.
 */
export type CustomerRow = {
  id: string;
  name: string;
  phone?: string;
  email?: string;
  merchant?: string;
  balance: number;
  /** In QAR, such as "350.00". */
  value: string;
  /** How much of it holds reserve, in QAR. */
  held?: string;
  status: CustomerStatus;
  staff?: true;
  since: string;
};

export type BlockManyAction = (
  input: z.input<typeof blockCustomersSchema>,
) => Promise<ActionResult<BlockedMany>>;
