import { z } from "zod";
import { idSchema } from "@/lib/domain/ids";
import { emailSchema, nameSchema } from "./account";

export const ADMIN_ROLES = ["super_admin", "admin"] as const;

export const inviteAdminSchema = z.object({
  firstName: nameSchema,
  lastName: nameSchema,
  email: emailSchema,
  role: z.enum(ADMIN_ROLES, "validation.invalid"),
});

/** A change of an administrator. Absent fields stay unchanged; `invite` sends the invitation again. */
export const changeAdminSchema = z.object({
  id: idSchema,
  firstName: nameSchema.optional(),
  lastName: nameSchema.optional(),
  role: z.enum(ADMIN_ROLES, "validation.invalid").optional(),
  active: z.boolean({ error: "validation.type" }).optional(),
  invite: z.boolean({ error: "validation.type" }).optional(),
});
export type ChangeAdmin = z.output<typeof changeAdminSchema>;

export type Admin = {
  id: string;
  firstName: string;
  lastName: string;
  email: string;
  role: (typeof ADMIN_ROLES)[number];
  status: "active" | "invited" | "disabled";
  /** Whether a second factor is set. */
  secondFactor: boolean;
  createdAt: Date;
};
