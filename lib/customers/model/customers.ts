import { z } from "zod";
import { emailSchema, nameSchema } from "@/lib/accounts/model/account";
import { codeSchema, dateOfBirthSchema, type PendingEmail } from "@/lib/cards/model/card-holder";
import { idSchema } from "@/lib/domain/ids";
import { pageSchema, searchSchema, sortSchema } from "@/lib/domain/paging";
import { phoneSchema } from "@/lib/domain/typed";
import { reasonSchema } from "@/lib/ledger/model/movements";

export const CUSTOMER_STATUSES = ["active", "blocked", "frozen", "erased"] as const;
export type CustomerStatus = (typeof CUSTOMER_STATUSES)[number];

export const CUSTOMER_SORTS = ["joined", "name"] as const;

/** Saved filters: nothing happened on the card for DORMANT_DAYS, or who paid in the most within TOP_DAYS. */
export const CUSTOMER_SHOWS = ["dormant", "top"] as const;
export const DORMANT_DAYS = 60;
export const TOP_DAYS = 30;
export const TOP_CUSTOMERS = 100;
/** The most customers or transactions that a saved filter of a list reads. An export reads all customers. */
export const SHOW_READS_AT_MOST = 10_000;
export const SORTED_HITS_AT_MOST = 3_000;
/** The part that a list looked at: customers who joined last, the latest transactions, or some hits of a search by name. */
export type Covered = { only: "customers" | "hits" } | { only: "transactions"; since: Date };

/** A search stops counting at this many hits. */
export const MAX_SEARCH_COUNT = 1_000;

/** The staff's list of customers. Shorter terms than MIN_SEARCH_LENGTH are ignored; the default omits erased customers. */
export const listCustomersSchema = pageSchema.extend({
  search: searchSchema,
  merchantId: idSchema.optional(),
  status: z.enum(CUSTOMER_STATUSES, "validation.invalid").optional(),
  sort: sortSchema(CUSTOMER_SORTS),
  /** A saved filter. It applies within one merchant only. */
  show: z.enum(CUSTOMER_SHOWS, "validation.invalid").optional(),
  /** The page number from 1, for clients without a cursor. A cursor is faster. */
  page: z.coerce.number().int().min(1).max(10_000).optional(),
});
export type ListCustomers = z.output<typeof listCustomersSchema>;

export const customersFilterSchema = listCustomersSchema.omit({ limit: true, cursor: true, page: true });
export type CustomersFilter = z.output<typeof customersFilterSchema>;

/** Identifies a customer by the private or the public id. */
export const customerIdSchema = z.object({ customerId: idSchema });

/** The fields that staff may edit. The e-mail has changeCustomerEmailSchema. */
export const editCustomerSchema = customerIdSchema.extend({
  fullName: nameSchema.optional(),
  phone: phoneSchema.optional(),
  dateOfBirth: dateOfBirthSchema.optional(),
  /** Refused, so that nobody believes that it was changed. */
  email: z
    .unknown()
    .optional()
    .refine((given) => given === undefined, { error: "validation.emailCustomer" }),
  status: z.enum(["active", "blocked"], "validation.invalid").optional(),
});
export type EditCustomer = z.output<typeof editCustomerSchema>;

/** How many cards one call blocks or unblocks at most: a page of the longest list. */
export const MOST_AT_ONCE = 100;

export const blockCustomersSchema = z.object({
  customerIds: z
    .array(idSchema, "validation.invalid")
    .min(1, "validation.invalid")
    .max(MOST_AT_ONCE, "validation.invalid"),
  status: z.enum(["active", "blocked"], "validation.invalid"),
  reason: reasonSchema.refine((text) => text !== "", "validation.reason.required"),
});

/** A card's e-mails for staff: the pending change, earlier addresses (newest first), and where its code goes. */
export type CustomerEmails = { pending: PendingEmail | null; earlier: string[]; codeEmail: string };

export const changeCustomerEmailSchema = customerIdSchema.extend({
  email: emailSchema,
  reason: reasonSchema.refine((text) => text !== "", "validation.reason.required"),
});

export const unfreezeCustomerSchema = customerIdSchema.extend({ code: codeSchema });
