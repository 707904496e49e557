import { getTranslations } from "next-intl/server";
import { manifestResponse } from "@/app/_manifest";
import { publicPageContext, runForBrowser } from "@/lib/api/page";
import { readCard } from "@/lib/cards/card";
import { nullIfRefused } from "@/lib/domain/errors";
import { isId, NIL_ID } from "@/lib/domain/is-id";
import { merchantName } from "@/lib/domain/localized-names";

/** The web app manifest of one card, so that the installed app opens this card, with its merchant's name and colour. */
export async function GET(_request: Request, { params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const ctx = await publicPageContext();
  const card = await runForBrowser(readCard, { customerId: isId(id) ? id : NIL_ID }).catch(nullIfRefused);
  if (!card) return new Response(null, { status: 404 });
  const t = await getTranslations("card");
  const name = merchantName(card.merchant, ctx.locale) || t("fallbackBusiness");
  const own = {
    id: `/customer/loyalty-card/${card.id}`,
    scope: "/customer/",
    name: `${name}: ${t("pageTitle")}`,
    short_name: name,
    orientation: "portrait" as const,
    theme_color: card.merchant.colours.via,
  };
  return manifestResponse(own, ctx.locale, "no-store");
}
