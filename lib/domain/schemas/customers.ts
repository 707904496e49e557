import { z } from "zod";
import { CUSTOMER_SORTS, CUSTOMER_STATUSES } from "../customers";
import { idSchema } from "../ids";
import { phoneSchema } from "../phone";
import { nameSchema } from "./account";
import { codeSchema, dateOfBirthSchema } from "./customer";
import { pageSchema, searchSchema } from "./paging";
import { sortSchema } from "./sorting";

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
