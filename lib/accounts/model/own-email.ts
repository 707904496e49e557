import { z } from "zod";
import { codeSchema } from "@/lib/cards/model/card-holder";
import { emailSchema } from "./account";

export const newOwnEmailSchema = z.object({ email: emailSchema });

export const changeOwnEmailSchema = newOwnEmailSchema.extend({
  code: codeSchema,
  /** The code mailed to the present address; not asked for while that address was never proved. */
  oldCode: codeSchema.optional(),
});
