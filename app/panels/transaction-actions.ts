"use server";

import type { Receipt } from "@/lib/domain/points";
import { reverseSchema } from "@/lib/domain/schemas/money";
import { action } from "@/lib/http/action";
import { reverse } from "@/lib/ledger/reverse";

export const reverseAction = action(reverseSchema, reverse, ({ movement }: Receipt) => ({ id: movement.id }));
