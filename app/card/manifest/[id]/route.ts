import { getTranslations } from "next-intl/server";
import { publicPageContext, runForBrowser } from "@/lib/api/page";
import { readCard } from "@/lib/cards/card";
import { nullIfRefused } from "@/lib/domain/errors";
import { isId, NIL_ID } from "@/lib/domain/is-id";
import { merchantName } from "@/lib/domain/merchant-name";
import { direction } from "@/lib/domain/roles";

type Props = { params: Promise<{ id: string }> };

/** The web app manifest of one card, so that the installed app opens this card, with its merchant's name and colour. */
export async function GET(_request: Request, { params }: Props): Promise<Response> {
  const { id } = await params;
  const ctx = await publicPageContext();
  const card = await runForBrowser(readCard, { customerId: isId(id) ? id : NIL_ID }).catch(nullIfRefused);
  if (!card) return new Response(null, { status: 404 });
  const t = await getTranslations("card");
  const name = merchantName(card.merchant, ctx.locale) || t("fallbackBusiness");
  const icon = (size: number, purpose: "any" | "maskable") => ({
    src: purpose === "maskable" ? `/icon-maskable-${size}.png` : `/icon-${size}.png`,
    sizes: `${size}x${size}`,
    type: "image/png",
    purpose,
  });
  const manifest = {
    id: `/customer/loyalty-card/${card.id}`,
    start_url: `/customer/loyalty-card/${card.id}`,
    scope: "/customer/",
    name: `${name}: ${t("pageTitle")}`,
    short_name: name,
    lang: ctx.locale,
    dir: direction(ctx.locale),
    display: "standalone",
    orientation: "portrait",
    background_color: "#f8fafc",
    theme_color: card.merchant.colours.via,
    icons: [icon(192, "any"), icon(512, "any"), icon(512, "maskable")],
  };
  return Response.json(manifest, {
    headers: { "Content-Type": "application/manifest+json", "Cache-Control": "no-store" },
  });
}
