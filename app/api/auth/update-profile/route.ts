import { updateProfile } from "@/lib/accounts/profile";
import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { accountReply, updateProfileWire } from "@/lib/http/wire/account";

export const PUT = route({
  run: updateProfile,
  summary: "Updates the caller's name, phone or language. Fields that are left out keep their values.",
  tag: "Accounts",
  body: updateProfileWire,
  reply: accountReply,
  message: "api.profileUpdated",
  example: { sFirstName: "Noor", sLastName: "Al Thani", sPhoneNumber: "+974 5512 3456", sLocale: "ar" },
});

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST } = otherMethods("PUT");
