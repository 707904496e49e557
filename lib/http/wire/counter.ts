import { z } from "zod";
import type { FoundCustomer, MerchantChoice, ServedCustomer } from "@/lib/domain/counter";
import { idSchema } from "@/lib/domain/ids";
import { emailSchema } from "@/lib/domain/schemas/account";
