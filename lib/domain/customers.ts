import { z } from "zod";
import { nameSchema } from "./account";
import { codeSchema, dateOfBirthSchema } from "./card-holder";
import { phoneSchema } from "./contact";
import { idSchema } from "./ids";
import { pageSchema, searchSchema, sortSchema } from "./paging";

export const CUSTOMER_STATUSES = ["active", "blocked", "frozen", "erased"] as const;
export type CustomerStatus = (typeof CUSTOMER_STATUSES)[number];

/** What a list of customers can be sorted by; newest first where nothing is said. */
export const CUSTOMER_SORTS = ["joined", "name"] as const;

/** A customer in a list of staff. */
export type ListedCustomer = {
  id: string;
  publicId: string;
  fullName: string;
  email: string | null;
  phone: string | null;
  /** Points. */
  balance: number;
  /** QAR, as "350.00". */
  cashValue: string;
  status: CustomerStatus;
  registeredAt: Date;
  merchant: { id: string; businessName: string };
};

/** One page of customers; `total` is of the filtered set, at most COUNTED_AT_MOST when a term is searched for. */
export type CustomerList = { customers: ListedCustomer[]; total: number; nextCursor: string | null };

/** What staff see of one customer. */
export type CustomerProfile = ListedCustomer & {
  /** YYYY-MM-DD. */
  dateOfBirth: string | null;
  movements: number;
};

/** A search is as exact as a person needs it: past this many hits it stops counting. */
export const COUNTED_AT_MOST = 1_000;
/** Shorter terms are no search. */
export const SEARCH_LETTERS = 3;

/** The staff's list of customers. A term of fewer than three letters is no search; without a status, all but the erased. */
export const listCustomersSchema = pageSchema.extend({
  search: searchSchema,
  merchantId: idSchema.optional(),
  status: z.enum(CUSTOMER_STATUSES, "validation.invalid").optional(),
  sort: sortSchema(CUSTOMER_SORTS),
  /** For clients that count pages: 1 is the first. A cursor is quicker. */
  page: z.coerce
    .number("validation.type")
    .int("validation.type")
    .min(1, "validation.invalid")
    .max(10_000, "validation.invalid")
    .optional(),
});
export type ListCustomers = z.output<typeof listCustomersSchema>;

/** The private or the public id. */
export const customerIdSchema = z.object({ customerId: idSchema });
export type CustomerId = z.output<typeof customerIdSchema>;

/** What staff may mend. The e-mail is the customer's own to change. */
export const editCustomerSchema = customerIdSchema.extend({
  fullName: nameSchema.optional(),
  phone: phoneSchema.optional(),
  dateOfBirth: dateOfBirthSchema.optional(),
  status: z.enum(["active", "blocked"], "validation.invalid").optional(),
});
export type EditCustomer = z.output<typeof editCustomerSchema>;

export const unfreezeCustomerSchema = customerIdSchema.extend({ code: codeSchema });
export type UnfreezeCustomer = z.output<typeof unfreezeCustomerSchema>;
