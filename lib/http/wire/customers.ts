import { z } from "zod";
import {
  CUSTOMER_STATUSES,
  type CustomerList,
  type CustomerProfile,
  editCustomerSchema,
  listCustomersSchema,
} from "@/lib/domain/customers";
import { idSchema } from "@/lib/domain/ids";

const listed = z.object({
  _id: z.string(),
  sUUID: z.string(),
  sFullName: z.string(),
  sEmail: z.string().nullable(),
  sPhoneNumber: z.string().nullable(),
  sBalance: z.number(),
  sCashValue: z.string(),
  eStatus: z.enum(CUSTOMER_STATUSES),
  dRegisteredAt: z.iso.datetime(),
  iMerchantId: z.string(),
});

function listedFrom(customer: CustomerList["customers"][number]): z.output<typeof listed> {
  return {
    _id: customer.id,
    sUUID: customer.publicId,
    sFullName: customer.fullName,
    sEmail: customer.email,
    sPhoneNumber: customer.phone,
    sBalance: customer.balance,
    sCashValue: customer.cashValue,
    eStatus: customer.status,
    dRegisteredAt: customer.registeredAt.toISOString(),
    iMerchantId: customer.merchant.id,
  };
}

const query = listCustomersSchema.shape;
/** GET customer-management. */
export const listCustomersQuery = z
  .object({
    search: query.search,
    page: query.page,
    limit: query.limit,
    cursor: query.cursor,
    /** A minus before the field sorts downwards; -joined by itself. */
    sort: query.sort,
    iMerchantId: query.merchantId,
    eStatus: query.status,
  })
  .transform(({ iMerchantId, eStatus, ...same }) => ({
    ...same,
    merchantId: iMerchantId,
    status: eStatus,
  }));
export const customersReply = {
  schema: z.object({
    customers: z.array(listed),
    total: z.number().int(),
    nextCursor: z.string().nullable(),
  }),
  from: ({ customers, ...rest }: CustomerList) => ({ customers: customers.map(listedFrom), ...rest }),
};

export const customerParams = z.object({ id: idSchema }).transform(({ id }) => ({ customerId: id }));

const edit = editCustomerSchema.shape;
/** PUT customer-management/{id}. */
export const editCustomerWire = z
  .object({
    sFullName: edit.fullName,
    sPhoneNumber: edit.phone,
    dDateOfBirth: edit.dateOfBirth,
    eStatus: edit.status,
  })
  .transform((body) => ({
    fullName: body.sFullName,
    phone: body.sPhoneNumber,
    dateOfBirth: body.dDateOfBirth,
    status: body.eStatus,
  }));
export const customerReply = {
  schema: listed.extend({ dDateOfBirth: z.string().nullable() }),
  from: (customer: CustomerProfile) => ({
    ...listedFrom(customer),
    dDateOfBirth: customer.dateOfBirth,
  }),
};
