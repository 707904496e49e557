import { z } from "zod";
import { idSchema } from "../ids";
import { emailSchema } from "./account";

/** The search begins at more than two characters; a shorter term finds nothing. */
export const SEARCH_MINIMUM = 3;

export const findCustomersSchema = z.object({
  search: z.string().trim().max(100, "validation.tooLong"),
});
export type FindCustomers = z.infer<typeof findCustomersSchema>;

/** A customer by the private or the public id. */
export const serveCustomerSchema = z.object({ customerId: idSchema });
export type ServeCustomer = z.infer<typeof serveCustomerSchema>;

/** `within` names a merchant, or a user whose merchant is meant. */
export const customerAssociationSchema = z.object({ customerId: idSchema, within: idSchema });
export type CustomerAssociation = z.infer<typeof customerAssociationSchema>;

export const merchantsOfCustomerSchema = z.object({ email: emailSchema });
export type MerchantsOfCustomer = z.infer<typeof merchantsOfCustomerSchema>;
