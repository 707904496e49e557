"use server";

import { editCustomer } from "@/lib/customers/edit-customer";
import { sendUnfreezeCode, unfreezeCustomer } from "@/lib/customers/unfreeze-customer";
import { customerIdSchema, editCustomerSchema, unfreezeCustomerSchema } from "@/lib/domain/schemas/customers";
import { action } from "@/lib/http/action";

export const editCustomerAction = action(editCustomerSchema, editCustomer);
export const sendUnfreezeCodeAction = action(customerIdSchema, sendUnfreezeCode);
export const unfreezeCustomerAction = action(unfreezeCustomerSchema, unfreezeCustomer);
