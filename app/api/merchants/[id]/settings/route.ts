import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { idParams } from "@/lib/http/wire/branch";
import { settingsReply, settingsWire } from "@/lib/http/wire/settings";
import { changeSettings, viewSettings } from "@/lib/merchants/settings";

export const GET = route({
  run: viewSettings,
  summary: "The settings of a merchant, and the higher allowance that waits.",
  tag: "Merchants",
  params: idParams,
  reply: settingsReply,
});

export const PUT = route({
  run: changeSettings,
  summary:
    "Changes any of a merchant's settings. A higher allowance by an administrator waits 24 hours while points are outstanding (oPending).",
  tag: "Merchants",
  params: idParams,
  body: settingsWire,
  reply: settingsReply,
  message: "api.settingsSaved",
  example: { iRefundDays: 7, aTenders: ["cash", "card"], bAskSaleRef: true },
});

export const { DELETE, OPTIONS, PATCH, POST } = otherMethods("GET", "PUT");
