import { z } from "zod";
import { idempotencyKeySchema, requiredId } from "@/lib/ledger/model/movements";

export const receiptSchema = z.object({ movementId: requiredId("validation.movement") });
export const printReceiptSchema = receiptSchema.extend({ idempotencyKey: idempotencyKeySchema.optional() });
