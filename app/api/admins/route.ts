import { inviteAdmin, listAdmins } from "@/lib/accounts/admins";
import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { adminReply, adminsReply, inviteAdminWire } from "@/lib/http/wire/admin";

export const GET = route({
  run: listAdmins,
  summary: "The administrators, the oldest first.",
  tag: "Administrators",
  reply: adminsReply,
});

export const POST = route({
  run: inviteAdmin,
  summary: "Invites an administrator, who is mailed a link to set a password.",
  tag: "Administrators",
  body: inviteAdminWire,
  reply: adminReply,
  example: { sFirstName: "Sara", sLastName: "Haddad", sEmail: "sara@wallet.example", eRole: "admin" },
});

export const { DELETE, OPTIONS, PATCH, PUT } = otherMethods("GET", "POST");
