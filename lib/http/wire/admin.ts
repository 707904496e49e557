import { z } from "zod";
import { ADMIN_ROLES, type Admin } from "@/lib/domain/admin";

const adminData = z.object({
  _id: z.string(),
  sFirstName: z.string(),
  sLastName: z.string(),
  sEmail: z.string(),
  eRole: z.enum(ADMIN_ROLES),
  eStatus: z.enum(["active", "invited", "disabled"]),
  bSecondFactor: z.boolean(),
  dCreatedAt: z.iso.datetime(),
});

const adminFrom = (admin: Admin): z.output<typeof adminData> => ({
  _id: admin.id,
  sFirstName: admin.firstName,
  sLastName: admin.lastName,
  sEmail: admin.email,
  eRole: admin.role,
  eStatus: admin.status,
  bSecondFactor: admin.secondFactor,
  dCreatedAt: admin.createdAt.toISOString(),
});

export const adminReply = { schema: adminData, from: adminFrom };
export const adminsReply = {
  schema: z.object({ results: z.array(adminData) }),
  from: (admins: Admin[]) => ({ results: admins.map(adminFrom) }),
};
export const inviteAdminWire = {
  sFirstName: "firstName",
  sLastName: "lastName",
  sEmail: "email",
  eRole: "role",
} as const;
export const changeAdminWire = {
  sFirstName: "firstName",
  sLastName: "lastName",
  eRole: "role",
  bActive: "active",
  bInvite: "invite",
} as const;
