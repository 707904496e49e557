import { changeAdmin } from "@/lib/accounts/admins";
import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { adminReply, changeAdminWire } from "@/lib/http/wire/admin";

export const PUT = route({
  run: changeAdmin,
  summary:
    "Changes an administrator's name or role, disables or enables them (`bActive`), or sends the invitation again (`bInvite`). The last active super_admin stays one.",
  tag: "Administrators",
  params: { id: "id" },
  body: changeAdminWire,
  reply: adminReply,
  example: { bActive: false },
});

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST } = otherMethods("PUT");
