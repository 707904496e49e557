"use server";

import { action } from "@/lib/api/action";
import { refund } from "@/lib/ledger/move-points";

export const refundAction = action(refund, ({ movement }) => ({ id: movement.id }));
