"use server";

import { sendRedeemCode } from "@/lib/customers/send-redeem-code";
import { serveCustomerSchema } from "@/lib/domain/schemas/counter";
import { action } from "@/lib/http/action";

export const sendRedeemCodeAction = action(serveCustomerSchema, sendRedeemCode);
