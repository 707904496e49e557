import { getTranslations } from "next-intl/server";
import { AdminsTable, InviteAdmin } from "@/components/accounts/admins";
import { listAdmins } from "@/lib/accounts/admins";
import { pageContext, pageTitle } from "@/lib/api/page";

export const generateMetadata = pageTitle("panels.titles.administrators");

export default async function AdministratorsPage() {
  const ctx = await pageContext(listAdmins);
  const t = await getTranslations("admins");
  const admins = await listAdmins(ctx, {});
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-prose text-muted-foreground text-sm">{t("intro")}</p>
        <InviteAdmin />
      </div>
      <AdminsTable admins={admins} ownId={ctx.actor.userId} />
    </div>
  );
}
