import { z } from "zod";
import { emailSchema } from "./account";
import { idSchema } from "./ids";

/** A customer as the counter sees them. */
export type FoundCustomer = {
  id: string;
  publicId: string;
  fullName: string;
  email: string | null;
  phone: string | null;
  balance: number;
  /** In QAR with two decimals. */
  cashValue: string;
};

/** A customer in the results of a search, with the merchant of the card. */
export type CustomerHit = FoundCustomer & { businessName: string };

export type BranchChoice = { id: string; name: string; city: string };
export type MerchantChoice = { id: string; businessName: string; branches: BranchChoice[] };

/** A customer with the merchant of the card and its open branches. */
export type ServedCustomer = FoundCustomer & {
  dateOfBirth: string | null;
  registeredAt: Date;
  /** The value of a point, in dirhams. */
  rate: number;
  merchant: MerchantChoice & { imageKey: string | null; firstName: string; lastName: string };
};

export const findCustomersSchema = z.object({
  search: z.string().trim().max(100, "validation.tooLong").default(""),
});
export type FindCustomers = z.infer<typeof findCustomersSchema>;

/** Identifies a customer by the private or the public id. */
export const serveCustomerSchema = z.object({ customerId: idSchema });
export type ServeCustomer = z.infer<typeof serveCustomerSchema>;

/** Asks whether a merchant, or the merchant of a user, has the customer. One of the two ids is required. */
export const customerAssociationSchema = z
  .object({
    customerId: z.string({ error: "validation.customer.required" }).pipe(idSchema),
    merchantId: idSchema.nullish(),
    adminId: idSchema.nullish(),
  })
  .transform(({ customerId, merchantId, adminId }, ctx) => {
    const within = merchantId ?? adminId;
    if (within) return { customerId, within };
    ctx.issues.push({
      code: "custom",
      message: "validation.merchant.required",
      path: ["merchantId"],
      input: merchantId,
    });
    return z.NEVER;
  });
export type CustomerAssociation = z.output<typeof customerAssociationSchema>;

export const merchantsOfCustomerSchema = z.object({ email: emailSchema });
export type MerchantsOfCustomer = z.infer<typeof merchantsOfCustomerSchema>;
