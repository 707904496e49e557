"use server";

import { sendRedeemCode } from "@/lib/counter/send-redeem-code";
import { serveCustomerSchema } from "@/lib/domain/counter";
import { action } from "@/lib/http/action";

export const sendRedeemCodeAction = action(serveCustomerSchema, sendRedeemCode);
