import { Prisma } from "@/lib/db/generated/client";
import type { CustomerStatus, ListedCustomer } from "@/lib/domain/customers";
import { cashValue } from "@/lib/domain/money";

export type CustomerRow = {
  id: string;
  publicId: string;
  fullName: string;
  email: string | null;
  phone: string | null;
  balance: number;
  status: CustomerStatus;
  registeredAt: Date;
  merchantId: string;
  businessName: string;
  rate: number;
};

/** The columns of CustomerRow from `customers c` with CUSTOMER_JOINS. */
export const CUSTOMER_COLUMNS = Prisma.sql`c.id::text as id, c.public_id::text as "publicId",
  c.full_name as "fullName", c.email, c.phone, c.balance, c.status::text as status,
  c.registered_at as "registeredAt", c.merchant_id::text as "merchantId",
  m.business_name as "businessName", config.dirhams_per_point as rate`;

export const CUSTOMER_JOINS = Prisma.sql`join merchants m on m.id = c.merchant_id
  cross join lateral points_config_in_force(c.merchant_id) config`;

export function customerOf(row: CustomerRow): ListedCustomer {
  const { merchantId, businessName, rate, ...same } = row;
  return {
    ...same,
    cashValue: cashValue(row.balance, rate),
    merchant: { id: merchantId, businessName },
  };
}
