"use server";

import { sendRedeemCode } from "@/lib/counter/send-redeem-code";
import { action } from "@/lib/http/action";

export const sendRedeemCodeAction = action(sendRedeemCode);
