import { getTranslations } from "next-intl/server";
import { pageContext } from "@/lib/http/page";

/** "Points Configuration" for a system administrator, "Cash Configuration" for everyone else. */
export async function configMetadata() {
  const { actor } = await pageContext("config.read");
  const t = await getTranslations("panels.titles");
  return { title: t(actor.role === "super_admin" ? "pointsConfig" : "cashConfig") };
}
