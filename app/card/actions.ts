"use server";

import { freezeCard } from "@/lib/customers/freeze-card";
import { freezeTokenSchema } from "@/lib/domain/schemas/customer";
import { action } from "@/lib/http/action";

export const freezeCardAction = action(freezeTokenSchema, freezeCard);
