"use server";

import { action } from "@/lib/http/action";
import { refund } from "@/lib/ledger/move-points";

export const refundAction = action(refund, ({ movement }) => ({ id: movement.id }));
